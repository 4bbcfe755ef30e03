import { promisify } from "node:util";
import { brotliCompress, constants, gzip, zstdCompress } from "node:zlib";

/** Returns `bytes` in brotli; `quality` is 0 to 11. */
export function toBrotli(bytes: Uint8Array | string, quality: number): Promise<Buffer> {
  return promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: quality } });
}

/** Returns `bytes` in gzip; `level` is 1 to 9. */
export function toGzip(bytes: Uint8Array | string, level: number): Promise<Buffer> {
  return promisify(gzip)(bytes, { level });
}

/** Returns `bytes` in Zstandard; `level` is 1 to 22. */
export function toZstd(bytes: Uint8Array | string, level: number): Promise<Buffer> {
  return promisify(zstdCompress)(bytes, { params: { [constants.ZSTD_c_compressionLevel]: level } });
}
