\
"""open
