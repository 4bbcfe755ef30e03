export { notePapers, papersFor } from "./papers.ts";
