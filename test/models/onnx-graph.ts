/** Writes the few parts of the ONNX format (protobuf, onnx.proto3) that a tiny graph needs. */

const IR_VERSION = 8;
const OPSET = 13;
const FLOAT = 1;
const INT64 = 7;
const INTS_ATTRIBUTE = 7;
const INT_ATTRIBUTE = 2;

const text = (value: string) => new TextEncoder().encode(value);

function varint(value: number): number[] {
  const out: number[] = [];
  let rest = value;
  while (rest > 127) {
    out.push((rest % 128) | 128);
    rest = Math.floor(rest / 128);
  }
  return [...out, rest];
}

const number = (field: number, value: number) => [...varint(field * 8), ...varint(value)];
const bytes = (field: number, value: Uint8Array | number[]) => [
  ...varint(field * 8 + 2),
  ...varint(value.length),
  ...value,
];
const string = (field: number, value: string) => bytes(field, text(value));

/** A dimension is a size, or the name of one that is not fixed. */
type Shape = readonly (number | string)[];

function valueInfo(name: string, type: number, shape: Shape): number[] {
  const dimensions = shape.flatMap((size) =>
    bytes(1, typeof size === "number" ? number(1, size) : string(2, size)),
  );
  const tensor = [...number(1, type), ...bytes(2, dimensions)];
  return [...string(1, name), ...bytes(2, bytes(1, tensor))];
}

function initializer(name: string, values: Float32Array, shape: readonly number[]): number[] {
  return [
    ...shape.flatMap((size) => number(1, size)),
    ...number(2, FLOAT),
    ...string(8, name),
    ...bytes(9, new Uint8Array(values.buffer)),
  ];
}

function node(operator: string, inputs: string[], output: string, attributes: number[] = []): number[] {
  return [
    ...inputs.flatMap((name) => string(1, name)),
    ...string(2, output),
    ...string(4, operator),
    ...attributes,
  ];
}

/** The axes that are averaged away. */
function meanOver(axes: number[]): number[] {
  const list = [
    ...string(1, "axes"),
    ...axes.flatMap((axis) => number(8, axis)),
    ...number(20, INTS_ATTRIBUTE),
  ];
  const keep = [...string(1, "keepdims"), ...number(3, 0), ...number(20, INT_ATTRIBUTE)];
  return [...bytes(5, list), ...bytes(5, keep)];
}

type Graph = { nodes: number[][]; initializers: number[][]; inputs: number[][]; outputs: number[][] };

function model({ nodes, initializers, inputs, outputs }: Graph): Uint8Array<ArrayBuffer> {
  const graph = [
    ...nodes.flatMap((each) => bytes(1, each)),
    ...string(2, "tiny"),
    ...initializers.flatMap((each) => bytes(5, each)),
    ...inputs.flatMap((each) => bytes(11, each)),
    ...outputs.flatMap((each) => bytes(12, each)),
  ];
  return Uint8Array.from([
    ...number(1, IR_VERSION),
    ...bytes(7, graph),
    ...bytes(8, [...string(1, ""), ...number(2, OPSET)]),
  ]);
}

/** Returns a graph that averages mel frames over time and multiplies the 64 bands by `weights` (64 x size). */
export function audioGraph(weights: Float32Array, size: number): Uint8Array<ArrayBuffer> {
  return model({
    nodes: [
      node("ReduceMean", ["input_features"], "bands", meanOver([1, 2])),
      node("MatMul", ["bands", "weights"], "audio_embeds"),
    ],
    initializers: [initializer("weights", weights, [64, size])],
    inputs: [valueInfo("input_features", FLOAT, ["batch", 1, 1001, 64])],
    outputs: [valueInfo("audio_embeds", FLOAT, ["batch", size])],
  });
}

/** Returns a graph that averages the vectors (vocabulary x size) of a text's tokens. */
export function textGraph(vectors: Float32Array, size: number): Uint8Array<ArrayBuffer> {
  return model({
    nodes: [
      node("Gather", ["vectors", "input_ids"], "tokens"),
      node("ReduceMean", ["tokens"], "text_embeds", meanOver([1])),
    ],
    initializers: [initializer("vectors", vectors, [vectors.length / size, size])],
    inputs: [
      valueInfo("input_ids", INT64, ["batch", "length"]),
      valueInfo("attention_mask", INT64, ["batch", "length"]),
    ],
    outputs: [valueInfo("text_embeds", FLOAT, ["batch", size])],
  });
}
