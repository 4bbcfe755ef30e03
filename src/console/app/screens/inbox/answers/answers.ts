import { api, dataOf } from "../../../api/client.ts";
import { type Pages, usePages } from "../../../api/pages.ts";
import { type AnswerOf, changed, optimisticallyAll, query } from "../../../api/queries.ts";
import { account } from "../../../first-data.ts";
import { ANSWER_WORDS, ANSWERS_CHANGE, type Answer, songOf, whoOf } from "../../../share/answers.ts";
import { toastError } from "../../../ui/toast.tsx";
import { createUndos } from "../../../ui/undos.ts";

type List = AnswerOf<"/app/answers">;

const PAGE = 100;
/** Links made before addresses were asked for may have one in the place of a name. */
const ADDRESS = /^[^\s@<>,;]+@[^\s@<>,;]+$/;

/** The answers that members were done with in this visit. */
export const undos = createUndos();

/** Returns what recipients of links answered, newest first: what waits for somebody, or all of it. */
export function useAnswers(isAll: boolean): Pages<Answer> {
  const asked = isAll ? {} : { done: false };
  const pages = usePages(query("/app/answers", { query: { limit: PAGE, ...asked } }, ANSWERS_CHANGE));
  return pages.items && !isAll ? { ...pages, items: pages.items.filter(({ done }) => !done) } : pages;
}

/** Says that nothing is left to do about an answer, with a way back. */
export function finish(answer: Answer): void {
  void write(answer, true);
  undos.toast(`Done: ${nameOf(answer)}`, () => write(answer, false));
}

/** Puts an answer back to those that wait. */
export const reopen = (answer: Answer): Promise<void> => write(answer, false);

async function write({ id, shareId }: Answer, done: boolean): Promise<void> {
  try {
    await optimisticallyAll(
      (url) => url.startsWith("/app/answers"),
      (list: List) => ({
        ...list,
        data: list.data.map((each) => (each.id === id ? { ...each, done } : each)),
      }),
      () => dataOf(api.PATCH("/app/answers/{id}", { params: { path: { id } }, body: { done } })),
    );
    changed("shares", [shareId]);
  } catch (thrown) {
    toastError(thrown);
  }
}

/** Returns what an answer is called: who said what of which track. */
export const nameOf = (answer: Answer): string =>
  [whoOf(answer), ANSWER_WORDS[answer.answer], songOf(answer)].join(" · ");

/** Returns the address that opens a message about an answer; undefined where no address is known. */
export function replyTo(answer: Answer): string | undefined {
  const { recipient, text } = answer;
  const isAddress = recipient !== null && ADDRESS.test(recipient);
  const email = answer.recipientEmail ?? (isAddress ? recipient : undefined);
  if (email === undefined) return undefined;
  const hello = recipient === null || isAddress ? "Hello" : `Hello ${recipient}`;
  const said = `${ANSWER_WORDS[answer.answer]}${text === null ? "" : `: ${text}`}`;
  const body = `${hello},\n\n\n\n${account.name}\n\n${said.replace(/^/gm, "> ")}`;
  return `mailto:${encodeURIComponent(email)}?subject=${encodeURIComponent(answer.title)}&body=${encodeURIComponent(body)}`;
}
