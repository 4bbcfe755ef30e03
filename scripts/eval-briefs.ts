// Reads briefs (one JSON object a line, with `id` and `query`) and writes the parser's interpretation of each.
// bun scripts/eval-briefs.ts <briefs.jsonl> [predictions.jsonl]
import { parseBrief } from "../src/modules/search/brief/parse.ts";
import { toWireInterpretation } from "../src/modules/search/wire.ts";

const [briefsPath, predictionsPath] = process.argv.slice(2);
if (!briefsPath) {
  console.error("usage: bun scripts/eval-briefs.ts <briefs.jsonl> [predictions.jsonl]");
  process.exit(2);
}

const lines = (await Bun.file(briefsPath).text()).split("\n").filter((line) => line.trim() !== "");
const predictions = lines.map((line) => {
  const { id, query } = JSON.parse(line) as { id: string; query: string };
  const brief = parseBrief(query, { findArtist: () => undefined });
  const interpretation = toWireInterpretation(brief, { appliedConstraints: {}, appliedTuning: {} });
  return JSON.stringify({ id, interpretation });
});
await Bun.write(predictionsPath ?? Bun.stdout, `${predictions.join("\n")}\n`);
