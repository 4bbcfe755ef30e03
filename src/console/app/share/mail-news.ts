import { useEffect, useRef } from "preact/hooks";
import type { MailState } from "../../../modules/mail/outbox/shapes.ts";

const FIRST_MS = 1000;
const LONGEST_MS = 60_000;

/**
 * Reads again what became of mails while one of them is on its way, ever less often: no event tells of what the relay says.
 *
 * @param mails Those that show.
 */
export function useMailNews(mails: readonly Pick<MailState, "state" | "at">[], read: () => unknown): void {
  const isOnItsWay = mails.some(isDue);
  const reading = useRef(read);
  reading.current = read;
  useEffect(() => {
    if (!isOnItsWay) return;
    let waitMs = FIRST_MS;
    const look = () => {
      waitMs = Math.min(2 * waitMs, LONGEST_MS);
      timer = setTimeout(look, waitMs);
      if (!document.hidden) reading.current();
    };
    let timer = setTimeout(look, waitMs);
    return () => clearTimeout(timer);
  }, [isOnItsWay]);
}

const isDue = ({ state, at }: Pick<MailState, "state" | "at">): boolean =>
  state === "ending" || (state === "waiting" && Date.parse(at) <= Date.now());
