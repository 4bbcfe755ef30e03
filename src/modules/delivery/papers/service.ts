export type { PaperRelease } from "./facts.ts";
export { notePapers, type PapersOptions, type PaperText, papersFor } from "./papers.ts";
