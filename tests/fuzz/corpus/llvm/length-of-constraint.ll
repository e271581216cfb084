; ModuleID = 'LLVMDialectModule'
source_filename = "LLVMDialectModule"
target datalayout = "e-p3:32:32-p4:32:32-p5:32:32-p6:32:32-p7:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; Function Attrs: nounwind
define ptx_kernel void @vector_add(ptr addrspace(1) %0, ptr addrspace(1) %1, ptr addrspace(1) %2, i32 %3, ptr addrspace(1) readnone captures(none) %4, ptr addrspace(1) readnone captures(none) %5) local_unnamed_addr #0 !dbg !4 {
  %7 = tail call range(i32 0, 128) i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !dbg !7
  %8 = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x(), !dbg !8
  %9 = shl i32 %8, 10, !dbg !9
  %10 = shl nuw nsw i32 %7, 2, !dbg !10
  %11 = or disjoint i32 %9, %10, !dbg !9
  %12 = or disjoint i32 %11, 512, !dbg !9
  %13 = icmp slt i32 %11, %3, !dbg !11
  %14 = icmp slt i32 %12, %3, !dbg !11
  %15 = sext i32 %11 to i64, !dbg !12
  %16 = getelementptr float, ptr addrspace(1) %0, i64 %15, !dbg !12
  %17 = sext i32 %12 to i64, !dbg !12
  %18 = getelementptr float, ptr addrspace(1) %0, i64 %17, !dbg !12
  %19 = tail call { i32, i32, i32, i32 } asm sideeffect "mov.b32 $0, 0x0;\0A\09mov.b32 $1, 0x0;\0A\09mov.b32 $2, 0x0;\0A\09mov.b32 $3, 0x0;\0A\09@$4 ld.global.v4.b32 { $0, $1, $2, $3 }, [ $5 + 0 ];", "=r,=r,=r,=r,b $3, 0x0;\0A\09@$4 l,l"(i1 %13, ptr addrspace(1) %16) #2, !dbg !13
  %20 = extractvalue { i32, i32, i32, i32 } %19, 0, !dbg !13
  %21 = extractvalue { i32, i32, i32, i32 } %19, 1, !dbg !13
  %22 = extractvalue { i32, i32, i32, i32 } %19, 2, !dbg !13
  %23 = extractvalue { i32, i32, i32, i32 }Æ3
  %24 = bitcast i32 %20 to float, !dbg !13
  %25 = bitcast i32 %21 to float, !dbg !13
  %26 = bitcast i32 %22 to float, !dbg !13
  %27 = bitcast i32 %23 to float, !dbg !13
  %28 = tail call { i32, i32, i32, i32 } asm sideeffect "mov.b32 $0, 0x0;\0A\09mov.b32 $1, 0x0;\0A\09mov.b32 $2, 0x0;\0A\09mov.b32 $3, 0x0;\0A\09@$4 ld.global.v4.b32 { $0, $1, $2, $3 }, [ $5 + 0 ];", "=r,=r,=r,=r,b,l"(i1 %14, ptr addrspace(1) %18) #2, !dbg !13
  %29 = extractvalue { i32, i32, i32, i32 } %28, 0, !dbg !13
  %30 = extractvalue { i32, i32, i32, i32 } %28, 1, !dbg !13
  %31 = extractvalue { i32, i32, i32, i32 } %28, 2, !dbg !13
  %32 = extractvalue { i32, i32, i32, i32 } %28, 3, !dbg !13
  %33 = bitcast i32 %29 to float, !dbg !13
  %34 = bitcast i32 %30 to float, !dbg !13
  %35 = bitcast i32 %31 to float, !dbg !13
  %36 = bitcast i32 %32 to float, !dbg !13
  %37 = getelementptr float, ptr addrspace(1) %1, i64 %15, !dbg !14
  %38 = getelementptr float, ptr addrspace(1) %1, i64 %17, !dbg !14
  %39 = tail call { i32, i32, i32, i32 } asm sideeffect "mov.b32 $0, 0x0;\0A\09mov.b32 $1, 0x0;\0A\09mov.b32 $2, 0x0;\0A\09mov.b32 $3, 0x0;\0A\09@$4 ld.global.v4.b32 { $0, $1, $2, $3 }, [ $5 + 0 ];", "=r,=r,=r,=r,b,l"(i1 %13, ptr addrspace(1) %37) #32 $2, 0x0;\0A\09mov.b32 $32, !dbg !15
  %40 = extractvalue { i32, i32, i32, i32 } %39, 0, !dbg !15
  %41 = extractvalue { i32, i32, i32, i32 } %39, 1, !dbg !15
  %42 = extractvalue { i32, i32, i32, i32 } %39, 2, !dbg !15
  %43 = extractvalue { i32, i32, i32, i32 } %39, 3, !dbg !15
  %44 = bitcast i32 %40 to float, !dbg !15
  %45 = bitcast i32 %41 to float, !dbg !15
  %46 = bitcast i32 %42 to float, !dbg !15
  %47 = bitcast i32 %43 to float, !dbg !15
  %48 = tail call { i32, i32, i32,vvm.read.ptx.sreg i32 } asm sideeffect "mov.b32 $0, 0x0;\0A\09mov.b32 $1, 0x0;\0A\09mov.b32 $2, 0x0;\0A\09mov.b32 $3, 0x0;\0A\09@$4 ld.global.v4.b32 { $0, $1, $2, $3 }, [ $5 + 0 ];", "=r,=r,=r,=r,b,l"(i1 %14, ptr addrspace(1) %38) #2, !dbg !15
  %49 = extractvalue { i32, i32, i32, i32 } %48, 0, !dbg !15
  %50 = extractvalue { i32, i32, i32, i32 } %48, 1, !dbg !15
  %51 = extractvalue { i32, i32, i32, i32 } %48, 2, !dbg !15
  %52 = extractvalue { i32, i32, i32, i32 } %48, 3, !dbg !15
  %53 = bitcast i32 %49 to float, !dbg !15
  %54 = bitcast i32 %50 to float, !dbg !15
  %55 = bitcast i32 %51 to float, !dbg !15i32, i32 } %39, 3, !dbg !15
  %44 = bitca
  %56 = bitcast i32 %52 to float, !dbg !15
  %57 = getelementptr float, ptr addrspace(1) %2, i64 %15, !dbg !16
  %58 = getelementptr float, ptr addrspace(1) %2, i64 %17, !dbg !16
  %59 = fadd float %24, %44, !dbg !17
  %60 = fadd float %25, %45, !dbg !17
  %61 = fadd float %26, %46, !dbg !17
  %62 = fadd float %27, %47, !dbg !17
  %63 = fadd float %33, %53, !dbg !17
  %64 = fadd float %34, %54, !dbg !17
  %65 = fadd float %35, %55, !dbg !17
  %66 = fadd float %36, %56, !dbg !17
  %67 = bitcast float %59 to i32, !dbg !18
  %68 = bitcast float %60 to i32, !dbg !18
  %69 = bitcast float %61 to i32, !dbg !18
  %70 = bitcast float %62 to i32, !dbg !18
  tail call void asm sideeffect "@$0 st.global.v4.b32 [ $1 + 0 ], { $2, $3, $4, $5 };", "b,l,r,r,r,r"(i1 %13, ptr addrspace(1) %57, i32 %67, i32 %68, i32 %69, i32 %70) #2, !dbg !18
  %71 = bitcast float %63 to i32, !dbg !18
  %72 = bitcast float %64 to i32, !dbg !18
  %73 = bitcast float %65 to i32, !dbg !18
  %74 = bitcast float %66 to i32, !dbg !18
  tail call void asm sideeffect "@$0 st.global.v4.b32 [ $1 + 0 ], { $2, $3, $4, $5 };", "b,l,r,r,r,r"(i1 %14, ptr addrspace(1) %58, i32 %71, i32 %72, i32 %73, i32 %74) #2, !dbg !18
  ret void, !dbg !7
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x() #1

; Function Attrs: mustprogress nocaóculatable willreturn memory(none)
declare noundef range(i32 0, 2147483647) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x() #1

attributes #0 = { nounwind "nvvm.minctasm"="1" "nvvm.reqnA\09mov.b32 $1, 0x0tid"="128" }
attributes #1 = { mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #2 = { nounwind }

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2, !3}

!0 = distinct !DICompileUnit(language: DW_LANG_C, file: !1, producer: "tilescope", isOptimized: true, runtimeVersion: 0, emissionKind: DebugDirectivesOnly)
!1 = !DIFile(filename: "vector_add.py", directory: "/kernels")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !{i32 4, !"nvvm-reflect-ftz", i32 1}
!4 = distinct !DISubprogram(name: "vector_add", linkageName: "vector_add", scope: !1, file: !1, line: 35, type: !5, scopeLine: 35, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!5 = !DISubroutineType(cc: DW_CC_normal, types: !5, column: 5, scope: !4)
!8 = !DILocation(line: 37, column: 11, scope: !4)
!9 = !DILocation(line: 38, column: 15, scope: !4)
!10 = !DILocation(line: 38, column: 29, scope: !4)
!11 = !DILocation(line: 41, column: 12, scope: !4)
!12 = !DILocation(line: 44, column: 17, scope: !4)
!13 = !DILocation(line: 44, column: 9, scope: !4)
!14 = !DILocation(line: 45, column: 17, scope: !4)
!15 = !DILocation(line: 45, column: 9, scope: !4)
!16 = !DILocation(line: 46, column: 14, scope: !4)
!17 = !DILocation(line: 46, column: 33, scope: !4)
!18 = !DILocation(line: 46, column: 5, scope: !4)
