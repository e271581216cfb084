// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Browsers start no workers from files on disk, and the search of the site is one. There, a hidden frame runs the
// script of a worker: it has `importScripts` and `postMessage` as a worker has, and messages go both ways.
if (location.protocol === "file:")
  window.Worker = class extends EventTarget {
    constructor(url) {
      super();
      const frame = document.createElement("iframe");
      frame.hidden = true;
      document.body.append(frame);
      const inside = frame.contentWindow;
      const load = (source) => new Promise((done, fail) => {
        const script = inside.document.createElement("script");
        script.src = new URL(source, document.baseURI);
        script.onload = done;
        script.onerror = fail;
        inside.document.head.append(script);
      });
      inside.importScripts = (...sources) =>
        sources.reduce((before, source) => before.then(() => load(source)), Promise.resolve());
      inside.postMessage = (data) => this.dispatchEvent(new MessageEvent("message", { data }));
      this.frame = frame;
      this.isReady = load(url);
    }

    postMessage(data) {
      this.isReady.then(() => this.frame.contentWindow.dispatchEvent(new MessageEvent("message", { data })));
    }

    terminate() {
      this.frame.remove();
    }
  };
