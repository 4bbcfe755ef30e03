/** Kinds of findings. All except `unreferenced` are faults. */
export type FindingKind = "damaged" | "missing" | "dangling" | "unreferenced";

/** One problem, or one note, that a check found. */
export type Finding = {
  kind: FindingKind;
  /** The row or file in question. */
  id: string;
  /** Path of the file in the data folder or the backup; null when the finding is about rows. */
  path: string | null;
  /** One sentence. */
  detail: string;
};

/** Receives each finding as soon as it is made. */
export type Report = (finding: Finding) => void;

/** True for a finding that makes a library or a backup unsound. */
export function isFault({ kind }: Finding): boolean {
  return kind !== "unreferenced";
}
