/** @jsxRuntime automatic @jsxImportSource preact */
import { useSignal } from "@preact/signals";
import { DELIVERIES_KEPT_DAYS } from "../../../../modules/outward/webhooks/shapes.ts";
import { api, dataOf } from "../../api/client.ts";
import { type AnswerOf, query, queryClient, useQuery } from "../../api/queries.ts";
import { Button } from "../../ui/button.tsx";
import { ago, wholeTime } from "../../ui/dates.ts";
import { PlainTable } from "../../ui/plain-table.tsx";
import { Problem } from "../../ui/problem.tsx";
import { toast } from "../../ui/toast.tsx";
import { Part } from "./frame.tsx";

type Delivery = AnswerOf<"/integration/api-keys/{id}/webhook/deliveries">["data"][number];

const SHOWN = 50;
const STATES: Readonly<Record<string, string>> = {
  pending: "Waiting",
  delivered: "Delivered",
  failed: "Failed",
  cancelled: "Cancelled",
};

const deliveriesOf = (id: string) =>
  query("/integration/api-keys/{id}/webhook/deliveries", { path: { id }, query: { limit: SHOWN } }, {});

/** Reads the deliveries of a key again. */
export const readDeliveries = (id: string) =>
  queryClient.invalidateQueries({ queryKey: deliveriesOf(id).queryKey });

/** The deliveries of a key, newest first. A delivery opens to show the request and the answers. */
export function Deliveries({ keyId }: { keyId: string }) {
  const { data, error, refetch } = useQuery(deliveriesOf(keyId));
  const deliveries = data?.data ?? [];
  return (
    <Part
      heading="Deliveries"
      note={`The newest of the last ${DELIVERIES_KEPT_DAYS} days.`}
      tools={
        <Button look="quiet small" run={refetch}>
          Refresh
        </Button>
      }
    >
      <Problem error={error} onRetry={refetch} />
      {data && deliveries.length === 0 && <p class="soft">Nothing has been sent yet.</p>}
      {deliveries.length > 0 && (
        <PlainTable label="Deliveries" columns={["Event", "State", "Answer", "When"]} hasActions>
          {deliveries.map((delivery) => (
            <DeliveryRows key={delivery.id} keyId={keyId} delivery={delivery} />
          ))}
        </PlainTable>
      )}
    </Part>
  );
}

type RowProps = { keyId: string; delivery: Delivery };

function DeliveryRows({ keyId, delivery }: RowProps) {
  const isOpen = useSignal(false);
  const { event, status, occurredAt, attemptCount, responseStatus, error } = delivery;
  return (
    <>
      <tr>
        <th scope="row">
          <button
            type="button"
            class="link-button mono"
            aria-expanded={isOpen.value}
            onClick={() => {
              isOpen.value = !isOpen.value;
            }}
          >
            {event}
          </button>
        </th>
        <td data-label="State">
          {STATES[status] ?? status}
          {attemptCount > 1 && `, try ${attemptCount}`}
        </td>
        <td data-label="Answer">{responseStatus ?? error ?? "None yet"}</td>
        <td data-label="When" title={wholeTime(occurredAt)}>
          {ago(occurredAt)}
        </td>
        <td class="row-actions">
          <Button look="quiet small" label={`Send again: ${event}`} run={() => sendAgain(keyId, delivery)}>
            Send again
          </Button>
        </td>
      </tr>
      {isOpen.value && (
        <tr>
          <td colSpan={5}>
            <DeliveryLog keyId={keyId} id={delivery.id} />
          </td>
        </tr>
      )}
    </>
  );
}

function DeliveryLog({ keyId, id }: { keyId: string; id: string }) {
  const path = { id: keyId, deliveryId: id };
  const { data } = useQuery(
    query("/integration/api-keys/{id}/webhook/deliveries/{deliveryId}", { path }, {}),
  );
  if (!data) return null;
  const { body, attempts } = data.data;
  return (
    <div class="delivery-log">
      <h3>Request</h3>
      <pre>{body}</pre>
      {attempts.map(({ attempt, at, duration, headers, responseStatus, error, response }) => (
        <section key={attempt}>
          <h3>{`Try ${attempt}: ${responseStatus ?? error ?? "no answer"}`}</h3>
          <p class="soft">{`${wholeTime(at)}, ${duration} ms`}</p>
          <pre>
            {Object.entries(headers)
              .map(([name, value]) => `${name}: ${value}`)
              .join("\n")}
          </pre>
          {response !== "" && <pre>{response}</pre>}
        </section>
      ))}
    </div>
  );
}

async function sendAgain(keyId: string, { id, event }: Delivery): Promise<void> {
  const params = { path: { id: keyId, deliveryId: id } };
  const path = "/integration/api-keys/{id}/webhook/deliveries/{deliveryId}/redeliver";
  await dataOf(api.POST(path, { params }));
  toast(`${event} is being sent again`);
  await readDeliveries(keyId);
}
