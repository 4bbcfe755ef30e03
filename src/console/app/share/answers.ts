import { can } from "../api/library.ts";
import { type Depends, query, useQuery } from "../api/queries.ts";
import type { Data } from "../api/routes.ts";

/** What somebody answered through a link that was made for them. */
export type Answer = Data<"GET /app/answers">[number];

/** How an answer is said: as the buttons on the page say it. */
export const ANSWER_WORDS: Readonly<Record<Answer["answer"], string>> = {
  interested: "Interested",
  pass: "Pass",
  instrumental: "Need instrumental",
  terms: "Ask for terms",
};

/** What a first version is called that has no name. */
const FIRST_VERSION = "Original";

/** The look of its mark. */
export const ANSWER_LOOKS: Readonly<Record<Answer["answer"], string>> = {
  interested: "good",
  pass: "",
  instrumental: "warn",
  terms: "warn",
};

/** Answers are changes of their links. */
export const ANSWERS_CHANGE: Depends = { shares: "all", tracks: "all" };

/** Returns who answered. A link may have lost its recipient since. */
export const whoOf = ({ recipient }: Pick<Answer, "recipient">): string => recipient ?? "Someone";

/** Returns what the version that was on the page is called. A first version without a name is the track itself. */
export const versionOf = ({ versionLabel }: Pick<Answer, "versionLabel">): string | undefined =>
  versionLabel === FIRST_VERSION ? undefined : (versionLabel ?? undefined);

/** Returns which track was answered about, with that version. */
export const songOf = (answer: Pick<Answer, "title" | "versionLabel">): string =>
  [answer.title, versionOf(answer)].filter(Boolean).join(" ");

/** Returns how many answers wait for somebody of the library; 0 for those who do not see links. */
export function useOpenAnswers(): number {
  const asked = query("/app/answers", { query: { done: false, limit: 1 } }, ANSWERS_CHANGE);
  return useQuery(can("read:shares") ? asked : null).data?.openCount ?? 0;
}
