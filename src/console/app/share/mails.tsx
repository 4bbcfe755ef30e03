/** @jsxRuntime automatic @jsxImportSource preact */
import { api, dataOf } from "../api/client.ts";
import { canSendMail } from "../api/library.ts";
import { query, queryClient, useQuery } from "../api/queries.ts";
import type { Data } from "../api/routes.ts";
import { Button } from "../ui/button.tsx";
import { toast } from "../ui/toast.tsx";
import { useMailNews } from "./mail-news.ts";
import { MailWords } from "./mail-told.tsx";

/** A mail that somebody of the library sent. */
export type Mail = Data<"GET /app/mails">[number];

const MAX_MAILS = 50;

/** Returns the latest mails about a link, newest first; none where nothing is sent. */
export function useMails(shareId: string): readonly Mail[] {
  const asked = query("/app/mails", { query: { shareId, limit: MAX_MAILS } }, { shares: [shareId] });
  const { data, refetch } = useQuery(canSendMail() ? asked : null);
  const mails = data?.data ?? [];
  useMailNews(mails.map(newsOf), refetch);
  return mails;
}

const newsOf = ({ id, state, code, answer, createdAt, dueAt, endedAt }: Mail) => ({
  ...{ id, state, code, answer },
  at: endedAt ?? dueAt ?? createdAt,
});

/** Reads again what became of the mails. */
export function readMails(): void {
  const isOfMails = (key: unknown) => String(key).startsWith("/app/mails");
  void queryClient.invalidateQueries({ predicate: ({ queryKey }) => isOfMails(queryKey[0]) });
}

/** What became of a mail, and what can be done about it. `canMark`: also that nothing arrives at its address. */
export function MailLine({ mail, canMark = false }: { mail: Mail; canMark?: boolean }) {
  const { id, state, toName, toEmail, stopped, mayGoAgain } = mail;
  const who = toName ?? toEmail;
  const isMarked = stopped === "library";
  return (
    <p class="mail-line">
      <MailWords mail={newsOf(mail)} />
      {state === "waiting" && (
        <Button
          look="quiet small"
          label={`Cancel the mail to ${who}`}
          run={() => decideMail(id, "cancel", "Mail cancelled")}
        >
          Cancel
        </Button>
      )}
      {mayGoAgain && stopped === null && (
        <Button
          look="secondary small"
          label={`Send again to ${who}`}
          run={() => decideMail(id, "again", `On its way to ${who}`)}
        >
          Send again
        </Button>
      )}
      {canMark && state !== "waiting" && stopped !== "recipient" && (
        <Button
          look="quiet small"
          label={isMarked ? `Arrives after all at ${toEmail}` : `Does not arrive at ${toEmail}`}
          run={() => mark(toEmail, !isMarked)}
        >
          {isMarked ? "Arrives after all" : "Does not arrive"}
        </Button>
      )}
    </p>
  );
}

/** Cancels a mail, or sends it again, and says so. @throws ApiError */
export async function decideMail(id: string, what: "cancel" | "again", said: string): Promise<void> {
  const params = { path: { id } };
  await (what === "cancel"
    ? dataOf(api.POST("/app/mails/{id}/cancel", { params }))
    : dataOf(api.POST("/app/mails/{id}/again", { params })));
  readMails();
  toast(said);
}

/** Marks an address at which no mail arrives, so that none goes there, or takes that back. */
async function mark(email: string, doesNotArrive: boolean): Promise<void> {
  await dataOf(api.PUT("/app/mail-marks", { body: { email, doesNotArrive } }));
  readMails();
  if (doesNotArrive) toast(`No more mail to ${email}`, { undo: () => mark(email, false) });
  else toast(`Mail to ${email} goes out again`);
}
