/** @jsxRuntime automatic @jsxImportSource preact */
import { api, dataOf } from "../../api/client.ts";
import { type AnswerOf, optimistically, query, queryClient, useQuery } from "../../api/queries.ts";
import type { Body } from "../../api/routes.ts";
import { sendsMail } from "../../first-data.ts";
import { announce } from "../../ui/announce.ts";
import { Check } from "../../ui/field.tsx";
import { Problem } from "../../ui/problem.tsx";
import { Segments } from "../../ui/segments.tsx";
import { attempt } from "../../ui/toast.tsx";
import { Part, SettingsFrame } from "./frame.tsx";
import { Relay } from "./mail-relay.tsx";

type Wishes = AnswerOf<"/app/mail-wishes">["data"];
type Kind = Wishes["kinds"][number];

const wishesQuery = () => query("/app/mail-wishes", {}, { team: "all" });

const EVERY = [
  { value: "off", name: "Off" },
  { value: "hourly", name: "Hourly" },
  { value: "daily", name: "Daily" },
  { value: "weekly", name: "Weekly" },
] as const;

/** When the mails go out. */
const WHEN: Readonly<Record<Wishes["every"], string>> = {
  off: "You get no mail about what happens here.",
  hourly: "At most one mail an hour, and none when nothing has happened.",
  daily: "At most one mail a day, and none when nothing has happened.",
  weekly: "At most one mail a week, on Mondays, and none when nothing has happened.",
};

const KINDS: Readonly<Record<Kind, readonly [name: string, words: string]>> = {
  submissions: ["Submissions", "Music that came in for your briefs"],
  answers: ["Answers", "What recipients of links answer: interested, pass, and the others"],
  notes: ["Notes", "Comments on tracks, replies to them, and what is said of a version"],
  listens: ["Listens", "Who opened a link, and listened"],
};

/** What the person hears of by mail; for the operator, what becomes of the server's mails. */
export default function MailScreen() {
  const { data, error, refetch } = useQuery(wishesQuery());
  const { data: own } = useQuery(query("/app/account", {}, {}));
  return (
    <SettingsFrame heading="E-mail">
      <Problem error={error} onRetry={refetch} />
      {data && sendsMail && <WishesPart wishes={data.data} />}
      {!sendsMail && <NoRelay isOperator={own?.data.isOperator === true} />}
      {sendsMail && own?.data.isOperator && <Relay email={own.data.email} />}
    </SettingsFrame>
  );
}

function NoRelay({ isOperator }: { isOperator: boolean }) {
  return (
    <p>
      This server sends no mails.
      {isOperator && " To have it send them, start it with SMTP_URL and MAIL_FROM: docs/mail.md says how."}
    </p>
  );
}

function WishesPart({ wishes }: { wishes: Wishes }) {
  const { email, every, kinds, offered, isStopped } = wishes;
  return (
    <Part heading="What you hear of" note={`Mails go to ${email}, your own address. ${WHEN[every]}`}>
      {isStopped && (
        <p class="field-error">This address has asked for no more mail from here, so none is sent to it.</p>
      )}
      <div class="mail-wishes">
        <Segments
          label="How often"
          options={EVERY.map((each) => ({ ...each, isDisabled: isStopped && each.value !== "off" }))}
          current={every}
          onChange={(value) => attempt(() => change({ every: value }))}
        />
        <fieldset class="mail-kinds" aria-label="What you hear of" disabled={every === "off"}>
          {offered.map((kind) => (
            <Check
              key={kind}
              isOn={kinds.includes(kind)}
              onChange={(isOn) => attempt(() => change({ kinds: kindsWith(wishes, kind, isOn) }))}
            >
              <span>
                {KINDS[kind][0]} <span class="soft">{KINDS[kind][1]}</span>
              </span>
            </Check>
          ))}
        </fieldset>
      </div>
    </Part>
  );
}

const kindsWith = ({ kinds }: Wishes, kind: Kind, isOn: boolean): Kind[] =>
  isOn ? [...kinds, kind] : kinds.filter((each) => each !== kind);

/** @throws ApiError */
async function change(body: Body<"PATCH /app/mail-wishes">): Promise<void> {
  const asked = wishesQuery();
  const data = await optimistically(
    asked,
    (answer) => ({ ...answer, data: { ...answer.data, ...body } }),
    () => dataOf(api.PATCH("/app/mail-wishes", { body })),
  );
  queryClient.setQueryData(asked.queryKey, (before) => ({ ...(before as object), data }));
  announce("Saved");
}
