/** @jsxRuntime automatic @jsxImportSource preact */
import { useSignal } from "@preact/signals";
import { api, dataOf } from "../../api/client.ts";
import { query, queryClient, useQuery } from "../../api/queries.ts";
import type { Data } from "../../api/routes.ts";
import { Button } from "../../ui/button.tsx";
import { ago, wholeTime } from "../../ui/dates.ts";
import { grouped } from "../../ui/numbers.ts";
import { Problem } from "../../ui/problem.tsx";
import { Fact, Part } from "./frame.tsx";

type Outcome = Data<"POST /app/mail/test">;

const relayQuery = () => query("/app/mail/server", {}, { notifications: "all" });

/** Where the server's mails go, for its operator, with a way to try it. */
export function Relay({ email }: { email: string }) {
  const { data, error, refetch } = useQuery(relayQuery());
  const outcome = useSignal<Outcome | undefined>(undefined);
  const isTrying = useSignal(false);
  const test = async () => {
    if (isTrying.peek()) return;
    isTrying.value = true;
    outcome.value = undefined;
    try {
      outcome.value = await dataOf(api.POST("/app/mail/test"));
      await queryClient.invalidateQueries({ queryKey: relayQuery().queryKey });
    } finally {
      isTrying.value = false;
    }
  };
  return (
    <Part
      heading="Mails of this server"
      note={`The server and the sender are set where Dubplate is started. A test goes to ${email}.`}
      tools={
        <Button look="secondary small" aria-disabled={isTrying.value} run={test}>
          Send a test
        </Button>
      }
    >
      <Problem error={error} onRetry={refetch} />
      <p class="mail-test" role="status">
        {isTrying.value && "Handing a mail to the server …"}
        {outcome.value && <OutcomeWords outcome={outcome.value} />}
      </p>
      {data && <Facts relay={data.data} />}
    </Part>
  );
}

function OutcomeWords({ outcome: { ok, words, email } }: { outcome: Outcome }) {
  if (!ok) return <span class="server-trouble">No mail went out. {words}.</span>;
  return (
    <span class="server-good">
      A mail to {email} was handed over. {words}.
    </span>
  );
}

function Facts({ relay }: { relay: Data<"GET /app/mail/server"> }) {
  const { server, sender, perDay, waiting, lastRefusal } = relay;
  return (
    <dl class="settings-facts">
      <Fact name="Server">
        <span class="mono">{server}</span>
      </Fact>
      <Fact name="Sender">{sender}</Fact>
      <Fact name="Limit">{grouped(perDay)} mails a day for each library</Fact>
      <Fact name="Waiting">{waiting === 0 ? "Nothing" : grouped(waiting)}</Fact>
      <Fact name="Last refusal">
        {lastRefusal === null ? (
          "None"
        ) : (
          <>
            {lastRefusal.words}{" "}
            <span class="soft" title={wholeTime(lastRefusal.at)}>
              {ago(lastRefusal.at)}
            </span>
          </>
        )}
      </Fact>
    </dl>
  );
}
