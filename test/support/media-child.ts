import { runMediaChild } from "../../src/media/child.ts";

// Stands in for the program itself: what it starts to read an untrusted file, and nothing else.
process.exit(await runMediaChild(process.argv.slice(2)));
