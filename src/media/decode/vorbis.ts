import { StbVorbis } from "stb-vorbis";
import { MediaError } from "../media-error.ts";
import { checkShape } from "../shape.ts";
import type { ByteReader } from "./byte-reader.ts";
import { type OggPacket, readPackets } from "./ogg.ts";
import { oggFile } from "./ogg-file.ts";
import type { PcmSource } from "./pcm-source.ts";

/** Packets per piece: about ten seconds, so reading the codebooks again for each piece costs little. */
const PIECE_PACKETS = 512;

type Piece = { packets: Uint8Array[]; isLast: boolean; endGranule: number | undefined };

/**
 * Opens an Ogg Vorbis file. The decoder takes only whole files, so it gets small ones: the headers and a run of
 * packets. Each run begins with the last packet of the previous run, because the first packet of a stream gives no
 * samples, only the overlap for the second. The pieces join exactly.
 *
 * @throws MediaError `corrupt` when the headers are missing or no run decodes.
 * @see Vorbis I specification, sections 4.2 (headers), 4.3.1 (overlap) and A.2 (granule position).
 */
export async function openVorbis(reader: ByteReader): Promise<PcmSource> {
  const packets = readPackets(reader, isIdentification);
  const identification = packets.next().value?.bytes;
  packets.next(); // the comments, including cover art
  const setup = packets.next().value?.bytes;
  if (!identification || !setup) throw new MediaError("corrupt", "Vorbis headers are missing");
  const view = new DataView(identification.buffer, identification.byteOffset, identification.byteLength);
  const channels = view.getUint8(11);
  const sampleRateHz = view.getUint32(12, true);
  checkShape(sampleRateHz, channels);
  await StbVorbis.ready;

  const headers = [identification, NO_COMMENTS, setup];
  let isDamaged = true;
  function* blocks(): Generator<Float32Array> {
    let framesOut = 0;
    let badPieces = 0;
    for (const piece of pieces(packets)) {
      const decoded = decodePiece(headers, piece.packets, channels);
      if (!decoded) badPieces += 1;
      const keep = Math.max(0, (piece.endGranule ?? Number.POSITIVE_INFINITY) - framesOut) * channels;
      const block = decoded?.subarray(0, Math.min(decoded.length, keep)) ?? new Float32Array(0);
      framesOut += block.length / channels;
      isDamaged = !piece.isLast || badPieces > 0;
      if (block.length > 0) yield block;
    }
  }
  return { sampleRateHz, channels, declaredFrames: null, blocks: blocks(), isDamaged: () => isDamaged };
}

/** An empty comment header: vendor string and list, both of length 0, and the framing bit. */
const NO_COMMENTS = Uint8Array.of(3, 0x76, 0x6f, 0x72, 0x62, 0x69, 0x73, 0, 0, 0, 0, 0, 0, 0, 0, 1);

const isIdentification = (packet: Uint8Array): boolean =>
  packet.length >= 30 && String.fromCharCode(...packet.subarray(0, 7)) === "\x01vorbis";

function* pieces(packets: Iterable<OggPacket>): Generator<Piece> {
  let run: Uint8Array[] = [];
  let last: OggPacket | undefined;
  for (const packet of packets) {
    run.push(packet.bytes);
    last = packet;
    if (run.length <= PIECE_PACKETS) continue;
    yield { packets: run, isLast: packet.isLastPage, endGranule: endOf(packet) };
    run = [packet.bytes];
  }
  if (run.length > 1 && last) yield { packets: run, isLast: last.isLastPage, endGranule: endOf(last) };
}

/** Only the last page's granule position trims: the last block is rarely full. */
const endOf = ({ isLastPage, granule }: OggPacket): number | undefined => (isLastPage ? granule : undefined);

function decodePiece(headers: Uint8Array[], run: Uint8Array[], channels: number): Float32Array | undefined {
  try {
    const decoded = StbVorbis.decode(oggFile([...headers, ...run]));
    const samples = new Float32Array((decoded.channels[0]?.length ?? 0) * channels);
    decoded.channels.forEach((channel, index) => {
      for (let i = 0; i < channel.length; i += 1) samples[i * channels + index] = channel[i] ?? 0;
    });
    return samples;
  } catch {
    return undefined; // reported by isDamaged; the pieces after it may be whole
  }
}
