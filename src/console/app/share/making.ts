import { type Signal, useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import { ApiError, sentenceOf } from "../api/errors.ts";
import { canSendMail } from "../api/library.ts";
import { copyText } from "./copy.ts";
import { createLinks, type Made, type MailWish, oneOf, type Shared } from "./create.ts";
import type { Row } from "./recipient-mails.tsx";
import type { Settings } from "./settings.tsx";

/** Links that were made. */
export type Result = { links: readonly Made[]; title: string; isCopied: boolean; isMailed: boolean };

type Wish = {
  listName: string;
  rows: readonly Row[];
  settings: Settings;
  mail: MailWish | undefined;
  /** Leaves those in the form whose link was refused: the others have theirs, and are not written to again. */
  keep: (left: readonly Row[]) => void;
};

/** Makes the links, also in several turns, until nobody's was refused. */
export function useMaking(things: readonly Shared[], made: Signal<Result | null>) {
  const isBusy = useSignal(false);
  const problem = useSignal<string | undefined>(undefined);
  const refusals = useSignal<Readonly<Record<string, string>>>({});
  const links = useSignal<readonly Made[]>([]);
  const thing = useRef<Shared | undefined>(undefined);
  const send = async ({ listName, rows, settings, mail, keep }: Wish) => {
    isBusy.value = true;
    problem.value = undefined;
    refusals.value = {};
    try {
      thing.current ??= await oneOf(things, listName);
      const [first] = things;
      // It may have been chosen anew since somebody was refused.
      const shared = things.length === 1 && first ? first : thing.current;
      const outcome = await createLinks(shared, rows, settings, mail);
      links.value = [...links.peek(), ...outcome.made];
      if (outcome.refused.length === 0) {
        const isCopied =
          !mail &&
          (await copyText(
            links
              .peek()
              .map(({ url }) => url)
              .join("\n"),
          ));
        made.value = {
          links: links.peek(),
          title: thing.current.title,
          isCopied,
          isMailed: mail !== undefined,
        };
        return;
      }
      keep(outcome.refused.flatMap(({ who }) => who ?? []));
      const [personal, others] = [true, false].map((isAbout) =>
        outcome.refused.filter(({ who, error }) => (who !== undefined && isAboutWho(error)) === isAbout),
      );
      refusals.value = Object.fromEntries(
        (personal ?? []).map(({ who, error }) => [who?.name ?? "", sentenceOf(error)]),
      );
      problem.value = others?.[0] && sentenceOf(others[0].error);
    } catch (thrown) {
      problem.value = sentenceOf(thrown);
    } finally {
      isBusy.value = false;
    }
  };
  return { isBusy, problem, refusals, links, send };
}

/** True for a refusal of one person, which says nothing of the others. */
const isAboutWho = (error: unknown): boolean =>
  canSendMail() &&
  error instanceof ApiError &&
  (error.code === "mail_stopped" || error.issues.some(({ path }) => path.startsWith("recipient")));
