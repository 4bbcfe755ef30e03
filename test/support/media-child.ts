import { runMediaChild } from "../../src/media/child.ts";

// Stands in for the program itself: what it starts to read an untrusted file, or to run a model, and nothing else.
const args = process.argv.slice(2);
if (args[0] === "model-serve")
  process.exit(await (await import("../../src/modules/models/child.ts")).runModelChild());
process.exit(await runMediaChild(args));
