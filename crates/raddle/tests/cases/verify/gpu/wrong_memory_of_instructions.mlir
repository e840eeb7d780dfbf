// Which memory AMD's instructions read and write.
// RUN: raddle check %s --split-input-file
func.func @f(%n: index, %g: memref<8xf16>, %s: memref<8xf16, #gpu.address_space<workgroup>>, %o: memref<8xf16, strided<[1], offset: ?>>, %f: f32, %v: vector<4xf8E5M2>, %b: !amdgpu.tdm_base<i32>, %u: memref<8xi32>, %p: !amdgpu.tdm_gather_base<i32, i16>, %w: vector<8xi32>) {
  %0 = amdgpu.fat_raw_buffer_cast %o resetOffset : memref<8xf16, strided<[1], offset: ?>> to memref<8xf16, #amdgpu.address_space<fat_raw_buffer>>
  return
}

// -----
func.func @f(%n: index, %g: memref<8xf16>, %s: memref<8xf16, #gpu.address_space<workgroup>>, %o: memref<8xf16, strided<[1], offset: ?>>, %f: f32, %v: vector<4xf8E5M2>, %b: !amdgpu.tdm_base<i32>, %u: memref<8xi32>, %p: !amdgpu.tdm_gather_base<i32, i16>, %w: vector<8xi32>) {
  amdgpu.gather_to_lds %g[%n], %s[%n] : vector<2xf16>, memref<8xf16>, memref<8xf16, #gpu.address_space<workgroup>>
  return
}

// -----
func.func @f(%n: index, %g: memref<8xf16>, %s: memref<8xf16, #gpu.address_space<workgroup>>, %o: memref<8xf16, strided<[1], offset: ?>>, %f: f32, %v: vector<4xf8E5M2>, %b: !amdgpu.tdm_base<i32>, %u: memref<8xi32>, %p: !amdgpu.tdm_gather_base<i32, i16>, %w: vector<8xi32>) {
  %0 = amdgpu.fat_raw_buffer_cast %o : memref<8xf16, strided<[1], offset: ?>> to memref<8xf16, #amdgpu.address_space<fat_raw_buffer>>
  return
}

// -----
func.func @f(%n: index, %g: memref<8xf16>, %s: memref<8xf16, #gpu.address_space<workgroup>>, %o: memref<8xf16, strided<[1], offset: ?>>, %f: f32, %v: vector<4xf8E5M2>, %b: !amdgpu.tdm_base<i32>, %u: memref<8xi32>, %p: !amdgpu.tdm_gather_base<i32, i16>, %w: vector<8xi32>) {
  amdgpu.gather_to_lds %g[%n], %g[%n] : vector<2xf16>, memref<8xf16>, memref<8xf16>
  return
}

// -----
func.func @f(%n: index, %g: memref<8xf16>, %s: memref<8xf16, #gpu.address_space<workgroup>>, %o: memref<8xf16, strided<[1], offset: ?>>, %f: f32, %v: vector<4xf8E5M2>, %b: !amdgpu.tdm_base<i32>, %u: memref<8xi32>, %p: !amdgpu.tdm_gather_base<i32, i16>, %w: vector<8xi32>) {
  amdgpu.gather_to_lds %s[%n], %s[%n] : vector<2xf16>, memref<8xf16, #gpu.address_space<workgroup>>, memref<8xf16, #gpu.address_space<workgroup>>
  return
}

// -----
func.func @f(%n: index, %g: memref<8xf16>, %s: memref<8xf16, #gpu.address_space<workgroup>>, %o: memref<8xf16, strided<[1], offset: ?>>, %f: f32, %v: vector<4xf8E5M2>, %b: !amdgpu.tdm_base<i32>, %u: memref<8xi32>, %p: !amdgpu.tdm_gather_base<i32, i16>, %w: vector<8xi32>) {
  amdgpu.gather_to_lds %g[%n], %s[%n] : vector<3xf16>, memref<8xf16>, memref<8xf16, #gpu.address_space<workgroup>>
  return
}

// -----
func.func @f(%n: index, %g: memref<8xf16>, %s: memref<8xf16, #gpu.address_space<workgroup>>, %o: memref<8xf16, strided<[1], offset: ?>>, %f: f32, %v: vector<4xf8E5M2>, %b: !amdgpu.tdm_base<i32>, %u: memref<8xi32>, %p: !amdgpu.tdm_gather_base<i32, i16>, %w: vector<8xi32>) {
  %0 = amdgpu.transpose_load %g[%n] : memref<8xf16> -> vector<4xf16>
  return
}

// -----
func.func @f(%n: index, %g: memref<8xf16>, %s: memref<8xf16, #gpu.address_space<workgroup>>, %o: memref<8xf16, strided<[1], offset: ?>>, %f: f32, %v: vector<4xf8E5M2>, %b: !amdgpu.tdm_base<i32>, %u: memref<8xi32>, %p: !amdgpu.tdm_gather_base<i32, i16>, %w: vector<8xi32>) {
  %0 = amdgpu.transpose_load %s[%n] : memref<8xf16, #gpu.address_space<workgroup>> -> vector<2xf16>
  return
}

// -----
func.func @f(%n: index, %g: memref<8xf16>, %s: memref<8xf16, #gpu.address_space<workgroup>>, %o: memref<8xf16, strided<[1], offset: ?>>, %f: f32, %v: vector<4xf8E5M2>, %b: !amdgpu.tdm_base<i32>, %u: memref<8xi32>, %p: !amdgpu.tdm_gather_base<i32, i16>, %w: vector<8xi32>) {
  %0 = amdgpu.transpose_load %s[%n] : memref<8xf16, #gpu.address_space<workgroup>> -> vector<4xf32>
  return
}

// -----
func.func @f(%n: index, %g: memref<8xf16>, %s: memref<8xf16, #gpu.address_space<workgroup>>, %o: memref<8xf16, strided<[1], offset: ?>>, %f: f32, %v: vector<4xf8E5M2>, %b: !amdgpu.tdm_base<i32>, %u: memref<8xi32>, %p: !amdgpu.tdm_gather_base<i32, i16>, %w: vector<8xi32>) {
  %0 = amdgpu.make_dma_base %g[%n], %g[%n] : memref<8xf16>, memref<8xf16> -> !amdgpu.tdm_base<f16>
  return
}

// -----
func.func @f(%n: index, %g: memref<8xf16>, %s: memref<8xf16, #gpu.address_space<workgroup>>, %o: memref<8xf16, strided<[1], offset: ?>>, %f: f32, %v: vector<4xf8E5M2>, %b: !amdgpu.tdm_base<i32>, %u: memref<8xi32>, %p: !amdgpu.tdm_gather_base<i32, i16>, %w: vector<8xi32>) {
  %0 = amdgpu.make_dma_base %s[%n], %s[%n] : memref<8xf16, #gpu.address_space<workgroup>>, memref<8xf16, #gpu.address_space<workgroup>> -> !amdgpu.tdm_base<f16>
  return
}

// -----
func.func @f(%n: index, %g: memref<8xf16>, %s: memref<8xf16, #gpu.address_space<workgroup>>, %o: memref<8xf16, strided<[1], offset: ?>>, %f: f32, %v: vector<4xf8E5M2>, %b: !amdgpu.tdm_base<i32>, %u: memref<8xi32>, %p: !amdgpu.tdm_gather_base<i32, i16>, %w: vector<8xi32>) {
  %0 = amdgpu.make_dma_descriptor %b globalSize [2] globalStride [] sharedSize [2] : !amdgpu.tdm_base<i32> -> !amdgpu.tdm_descriptor
  return
}

// -----
func.func @f(%n: index, %g: memref<8xf16>, %s: memref<8xf16, #gpu.address_space<workgroup>>, %o: memref<8xf16, strided<[1], offset: ?>>, %f: f32, %v: vector<4xf8E5M2>, %b: !amdgpu.tdm_base<i32>, %u: memref<8xi32>, %p: !amdgpu.tdm_gather_base<i32, i16>, %w: vector<8xi32>) {
  %0 = amdgpu.make_dma_descriptor %b globalSize [2, 2] globalStride [1, 2] sharedSize [1, 1] : !amdgpu.tdm_base<i32> -> !amdgpu.tdm_descriptor
  return
}

// -----
func.func @f(%n: index, %g: memref<8xf16>, %s: memref<8xf16, #gpu.address_space<workgroup>>, %o: memref<8xf16, strided<[1], offset: ?>>, %f: f32, %v: vector<4xf8E5M2>, %b: !amdgpu.tdm_base<i32>, %u: memref<8xi32>, %p: !amdgpu.tdm_gather_base<i32, i16>, %w: vector<8xi32>) {
  %0 = amdgpu.make_dma_descriptor %b globalSize [2, 2, 2] globalStride [1, 1] sharedSize [1, 1] : !amdgpu.tdm_base<i32> -> !amdgpu.tdm_descriptor
  return
}

// -----
func.func @f(%n: index, %g: memref<8xf16>, %s: memref<8xf16, #gpu.address_space<workgroup>>, %o: memref<8xf16, strided<[1], offset: ?>>, %f: f32, %v: vector<4xf8E5M2>, %b: !amdgpu.tdm_base<i32>, %u: memref<8xi32>, %p: !amdgpu.tdm_gather_base<i32, i16>, %w: vector<8xi32>) {
  %0 = amdgpu.make_dma_descriptor %b globalSize [2, 2] globalStride [1, 1] sharedSize [1] : !amdgpu.tdm_base<i32> -> !amdgpu.tdm_descriptor
  return
}

// -----
func.func @f(%n: index, %g: memref<8xf16>, %s: memref<8xf16, #gpu.address_space<workgroup>>, %o: memref<8xf16, strided<[1], offset: ?>>, %f: f32, %v: vector<4xf8E5M2>, %b: !amdgpu.tdm_base<i32>, %u: memref<8xi32>, %p: !amdgpu.tdm_gather_base<i32, i16>, %w: vector<8xi32>) {
  %0 = amdgpu.make_dma_descriptor %b globalSize [2, 2] globalStride [1, 1] sharedSize [1, 1] atomicBarrier(%u[%n] : memref<8xi32>) : !amdgpu.tdm_base<i32> -> !amdgpu.tdm_descriptor
  return
}

// -----
func.func @f(%n: index, %g: memref<8xf16>, %s: memref<8xf16, #gpu.address_space<workgroup>>, %o: memref<8xf16, strided<[1], offset: ?>>, %f: f32, %v: vector<4xf8E5M2>, %b: !amdgpu.tdm_base<i32>, %u: memref<8xi32>, %p: !amdgpu.tdm_gather_base<i32, i16>, %w: vector<8xi32>) {
  %0 = amdgpu.make_gather_dma_descriptor %p[%w] globalSize [4, 4] globalStride [1, 1] sharedSize [1, 2] : !amdgpu.tdm_gather_base<i32, i16>, vector<8xi32> -> !amdgpu.tdm_descriptor
  return
}

// -----
func.func @f(%n: index, %g: memref<8xf16>, %s: memref<8xf16, #gpu.address_space<workgroup>>, %o: memref<8xf16, strided<[1], offset: ?>>, %f: f32, %v: vector<4xf8E5M2>, %b: !amdgpu.tdm_base<i32>, %u: memref<8xi32>, %p: !amdgpu.tdm_gather_base<i32, i16>, %w: vector<8xi32>) {
  %0 = amdgpu.packed_trunc_2xfp8 %f, undef into %v[word 0] : f32 to vector<4xf8E4M3FN> into vector<4xf8E5M2>
  return
}

// -----
func.func @f(%n: index, %g: memref<8xf16>, %s: memref<8xf16, #gpu.address_space<workgroup>>, %o: memref<8xf16, strided<[1], offset: ?>>, %f: f32, %v: vector<4xf8E5M2>, %b: !amdgpu.tdm_base<i32>, %u: memref<8xi32>, %p: !amdgpu.tdm_gather_base<i32, i16>, %w: vector<8xi32>) {
  %0 = amdgpu.permlane_swap %f 8 : f32
  return
}

// -----
func.func @f(%n: index, %g: memref<8xf16>, %s: memref<8xf16, #gpu.address_space<workgroup>>, %o: memref<8xf16, strided<[1], offset: ?>>, %f: f32, %v: vector<4xf8E5M2>, %b: !amdgpu.tdm_base<i32>, %u: memref<8xi32>, %p: !amdgpu.tdm_gather_base<i32, i16>, %w: vector<8xi32>) {
  %0 = amdgpu.swizzle_bitmode %n 1 2 4 : index
  return
}

// -----
func.func private @f(!amdgpu.tdm_gather_base<i32, i64>)

// $ raddle check %s --split-input-file
// error[E0201]: 'amdgpu.fat_raw_buffer_cast' op expected result type to be 'memref<8xf16, strided<[1], offset: ?>, #amdgpu.address_space<fat_raw_buffer>>' but got 'memref<8xf16, #amdgpu.address_space<fat_raw_buffer>>'
//   --> verify/gpu/wrong_memory_of_instructions.mlir:16:3
//    |
// 16 |   %0 = amdgpu.fat_raw_buffer_cast %o : memref<8xf16, strided<[1], offset: ?>> to memref<8xf16, #amdgpu.address_space<fat_raw_buffer>>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'amdgpu.gather_to_lds' op destination memory address space must be Workgroup
//   --> verify/gpu/wrong_memory_of_instructions.mlir:22:3
//    |
// 22 |   amdgpu.gather_to_lds %g[%n], %g[%n] : vector<2xf16>, memref<8xf16>, memref<8xf16>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'amdgpu.gather_to_lds' op source memory address space must be global or fat raw buffer
//   --> verify/gpu/wrong_memory_of_instructions.mlir:28:3
//    |
// 28 |   amdgpu.gather_to_lds %s[%n], %s[%n] : vector<2xf16>, memref<8xf16, #gpu.address_space<workgroup>>, memref<8xf16, #gpu.address_space<workgroup>>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'amdgpu.gather_to_lds' op Transfering type size must be 8, 16, 32, 96 or 128 bits
//   --> verify/gpu/wrong_memory_of_instructions.mlir:34:3
//    |
// 34 |   amdgpu.gather_to_lds %g[%n], %s[%n] : vector<3xf16>, memref<8xf16>, memref<8xf16, #gpu.address_space<workgroup>>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'amdgpu.transpose_load' op source memory address space must be Workgroup
//   --> verify/gpu/wrong_memory_of_instructions.mlir:40:3
//    |
// 40 |   %0 = amdgpu.transpose_load %g[%n] : memref<8xf16> -> vector<4xf16>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'amdgpu.transpose_load' op Transferring type size mismatch: expected num of elements: 4
//   --> verify/gpu/wrong_memory_of_instructions.mlir:46:3
//    |
// 46 |   %0 = amdgpu.transpose_load %s[%n] : memref<8xf16, #gpu.address_space<workgroup>> -> vector<2xf16>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'amdgpu.transpose_load' op Unsupported element type size for transpose load: 32 bits
//   --> verify/gpu/wrong_memory_of_instructions.mlir:52:3
//    |
// 52 |   %0 = amdgpu.transpose_load %s[%n] : memref<8xf16, #gpu.address_space<workgroup>> -> vector<4xf32>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'amdgpu.make_dma_base' op lds memref must have workgroup address space attribute.
//   --> verify/gpu/wrong_memory_of_instructions.mlir:58:3
//    |
// 58 |   %0 = amdgpu.make_dma_base %g[%n], %g[%n] : memref<8xf16>, memref<8xf16> -> !amdgpu.tdm_base<f16>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'amdgpu.make_dma_base' op global memref must have global address space attribute.
//   --> verify/gpu/wrong_memory_of_instructions.mlir:64:3
//    |
// 64 |   %0 = amdgpu.make_dma_base %s[%n], %s[%n] : memref<8xf16, #gpu.address_space<workgroup>>, memref<8xf16, #gpu.address_space<workgroup>> -> !amdgpu.tdm_base<f16>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'amdgpu.make_dma_descriptor' op strides must not be empty.
//   --> verify/gpu/wrong_memory_of_instructions.mlir:70:3
//    |
// 70 |   %0 = amdgpu.make_dma_descriptor %b globalSize [2] globalStride [] sharedSize [2] : !amdgpu.tdm_base<i32> -> !amdgpu.tdm_descriptor
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'amdgpu.make_dma_descriptor' op strides for the innermost dimension must be 1.
//   --> verify/gpu/wrong_memory_of_instructions.mlir:76:3
//    |
// 76 |   %0 = amdgpu.make_dma_descriptor %b globalSize [2, 2] globalStride [1, 2] sharedSize [1, 1] : !amdgpu.tdm_base<i32> -> !amdgpu.tdm_descriptor
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'amdgpu.make_dma_descriptor' op strides and sizes must have same rank.
//   --> verify/gpu/wrong_memory_of_instructions.mlir:82:3
//    |
// 82 |   %0 = amdgpu.make_dma_descriptor %b globalSize [2, 2, 2] globalStride [1, 1] sharedSize [1, 1] : !amdgpu.tdm_base<i32> -> !amdgpu.tdm_descriptor
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'amdgpu.make_dma_descriptor' op tensor must have same rank as tile.
//   --> verify/gpu/wrong_memory_of_instructions.mlir:88:3
//    |
// 88 |   %0 = amdgpu.make_dma_descriptor %b globalSize [2, 2] globalStride [1, 1] sharedSize [1] : !amdgpu.tdm_base<i32> -> !amdgpu.tdm_descriptor
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'amdgpu.make_dma_descriptor' op atomic barrier address must be in LDS.
//   --> verify/gpu/wrong_memory_of_instructions.mlir:94:3
//    |
// 94 |   %0 = amdgpu.make_dma_descriptor %b globalSize [2, 2] globalStride [1, 1] sharedSize [1, 1] atomicBarrier(%u[%n] : memref<8xi32>) : !amdgpu.tdm_base<i32> -> !amdgpu.tdm_descriptor
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'amdgpu.make_gather_dma_descriptor' op indices' element type must match base's element type.
//    --> verify/gpu/wrong_memory_of_instructions.mlir:100:3
//     |
// 100 |   %0 = amdgpu.make_gather_dma_descriptor %p[%w] globalSize [4, 4] globalStride [1, 1] sharedSize [1, 2] : !amdgpu.tdm_gather_base<i32, i16>, vector<8xi32> -> !amdgpu.tdm_descriptor
//     |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'amdgpu.packed_trunc_2xfp8' op existing values must have same type as result
//    --> verify/gpu/wrong_memory_of_instructions.mlir:106:3
//     |
// 106 |   %0 = amdgpu.packed_trunc_2xfp8 %f, undef into %v[word 0] : f32 to vector<4xf8E4M3FN> into vector<4xf8E5M2>
//     |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'amdgpu.permlane_swap' op row_length attribute must either be 16 or 32.
//    --> verify/gpu/wrong_memory_of_instructions.mlir:112:3
//     |
// 112 |   %0 = amdgpu.permlane_swap %f 8 : f32
//     |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'amdgpu.swizzle_bitmode' op operand #0 must be Integer or Float or fixed-length vector of Integer or Float values of ranks 1, but got 'index'
//    --> verify/gpu/wrong_memory_of_instructions.mlir:118:3
//     |
// 118 |   %0 = amdgpu.swizzle_bitmode %n 1 2 4 : index
//     |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//     |
//     = note: this is `src`: Integer or Float or fixed-length vector of Integer or Float values of ranks 1
//
// error[E0101]: index type must be i16 or i32 but index type is 'i64'.
//    --> verify/gpu/wrong_memory_of_instructions.mlir:123:22
//     |
// 123 | func.func private @f(!amdgpu.tdm_gather_base<i32, i64>)
//     |                      ^^^^^^^^^^^^^^^^^^^^^^^
//
// 19 diagnostics
// [exit status 1]
