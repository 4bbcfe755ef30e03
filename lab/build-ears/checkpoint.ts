/** Where a tensor lies in the data file. */
type Place = { offset: number; size: number };

const FOOTER_BYTES = 48;

/**
 * Returns a reader of the tensors of a TensorFlow checkpoint by name. Its index is a sorted table of LevelDB's format
 * whose values are messages; its data are plain little-endian numbers.
 *
 * @see tensorflow/core/util/tensor_bundle, tensorflow/core/lib/io/table_format.txt
 */
export function openCheckpoint(index: Buffer, data: Buffer): (name: string) => Float32Array {
  const places = new Map<string, Place>();
  // The footer holds the places of two blocks: one of no interest, and the one that lists the blocks of entries.
  const footer = reader(index.subarray(index.length - FOOTER_BYTES));
  footer.number();
  footer.number();
  for (const [, handle] of blockEntries(index, footer.number(), footer.number())) {
    const at = reader(handle);
    for (const [name, value] of blockEntries(index, at.number(), at.number()))
      places.set(name, placeOf(value));
  }
  return (name) => {
    const place = places.get(name);
    if (!place) throw new Error(`The checkpoint has no ${name}`);
    return new Float32Array(new Uint8Array(data.subarray(place.offset, place.offset + place.size)).buffer);
  };
}

/** Entries share the beginning of their names with the entry before them. */
function blockEntries(table: Buffer, offset: number, size: number): [name: string, value: Buffer][] {
  const block = table.subarray(offset, offset + size);
  const restarts = block.readUInt32LE(size - 4);
  const at = reader(block.subarray(0, size - 4 - 4 * restarts));
  const entries: [string, Buffer][] = [];
  let name = "";
  while (!at.isDone()) {
    const [shared, own, length] = [at.number(), at.number(), at.number()];
    name = name.slice(0, shared) + at.bytes(own).toString("latin1");
    entries.push([name, at.bytes(length)]);
  }
  return entries;
}

const [OFFSET_FIELD, SIZE_FIELD] = [4, 5];
const [VARINT, LENGTH_DELIMITED, FIXED_32] = [0, 2, 5];

/** Reads a message of the kind BundleEntryProto; of its fields only two matter. */
function placeOf(message: Buffer): Place {
  const at = reader(message);
  const place = { offset: 0, size: 0 };
  while (!at.isDone()) {
    const key = at.number();
    const [field, kind] = [key >> 3, key & 7];
    if (kind === LENGTH_DELIMITED) at.bytes(at.number());
    else if (kind === FIXED_32) at.bytes(4);
    else if (kind !== VARINT) throw new Error(`The index has a field of the unknown kind ${kind}`);
    else if (field === OFFSET_FIELD) place.offset = at.number();
    else if (field === SIZE_FIELD) place.size = at.number();
    else at.number();
  }
  return place;
}

function reader(bytes: Buffer) {
  let at = 0;
  return {
    isDone: () => at >= bytes.length,
    bytes(length: number): Buffer {
      at += length;
      return bytes.subarray(at - length, at);
    },
    /** A number in seven bits a byte. */
    number(): number {
      let value = 0;
      for (let scale = 1; ; scale *= 128) {
        const byte = bytes[at++] ?? 0;
        value += (byte & 127) * scale;
        if (byte < 128) return value;
      }
    },
  };
}
