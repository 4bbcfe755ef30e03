/** What a check can find. All but `unreferenced` are faults. */
export type FindingKind = "damaged" | "missing" | "dangling" | "unreferenced";

/** Something that is not as it should be. */
export type Finding = {
  kind: FindingKind;
  /** The row or the file that it is about. */
  id: string;
  /** The file, from the data folder or in the backup; null when it is about rows. */
  path: string | null;
  /** One sentence. */
  detail: string;
};

/** Hears of each finding as it is made. */
export type Report = (finding: Finding) => void;

/** True for a finding that makes a library or a backup unsound. */
export function isFault({ kind }: Finding): boolean {
  return kind !== "unreferenced";
}
