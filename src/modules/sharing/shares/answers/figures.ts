import type { LibraryId } from "../../../../../db/schema.ts";
import type { Deps } from "../../../../kernel/deps.ts";
import { fold } from "../../../../kernel/text.ts";
import { listUnusedShares, type Span } from "../../../library/analytics/service.ts";
import { isEarly, isTurnedOn } from "../wire.ts";
import { type AskedLink, selectAsked } from "./queries.ts";
import type { Answer } from "./shapes.ts";

/** What became of asking: how many people, each counted once. */
export type AnswerFigures = Record<Answer, number> & {
  people: number;
  /** They opened a link and have not answered. */
  silent: number;
  notOpened: number;
};

/** Of several answers of a person, the first of these counts. */
const MOST_WELCOME: readonly Answer[] = ["terms", "interested", "instrumental", "pass"];

/**
 * Counts the people whom links of a library asked for an answer, or who answered, within a span. Links that were taken back, or have
 * not opened yet, ask nobody as long as nothing was answered.
 */
export function answerFigures(
  { db, now }: Pick<Deps, "db" | "now">,
  ownerId: LibraryId,
  { from, to }: Span,
): AnswerFigures {
  const isWithin = (at: number) => at >= from && at <= to;
  const asked = selectAsked(db, ownerId).filter(
    (link) =>
      link.answers.some(({ at }) => isWithin(at)) ||
      (isWithin(Math.max(link.createdAt, link.notBefore ?? 0)) && hasAsked(link, now())),
  );
  const unused = new Set(
    listUnusedShares(
      db,
      asked.map(({ id }) => id),
    ),
  );
  const people = [...Map.groupBy(asked, ({ recipient }) => fold(recipient.trim())).values()];
  const figures: AnswerFigures = {
    people: people.length,
    interested: 0,
    pass: 0,
    instrumental: 0,
    terms: 0,
    silent: 0,
    notOpened: 0,
  };
  for (const links of people) figures[becameOf(links, unused)]++;
  return figures;
}

const hasAsked = (link: AskedLink, at: number) =>
  link.askAnswer && link.revokedAt === null && isTurnedOn(link) && !isEarly(link, at);

function becameOf(links: readonly AskedLink[], unused: ReadonlySet<string>): Answer | "silent" | "notOpened" {
  const said = new Set(links.flatMap(({ answers }) => answers.map(({ answer }) => answer)));
  const answer = MOST_WELCOME.find((each) => said.has(each));
  return answer ?? (links.every(({ id }) => unused.has(id)) ? "notOpened" : "silent");
}
