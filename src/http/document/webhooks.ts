import { type TSchema, Type } from "@sinclair/typebox";
import { EVENTS } from "../../kernel/event-data.ts";
import { shape } from "../envelope.ts";
import type { Components } from "./components.ts";
import { exampleOf } from "./examples.ts";

const EVENT_ID = "evt_019a8c5e7f3b7d21a4c9e6f0b2d81357";

/** The header fields of a delivery (decision 6.2), with an example. */
const FIELDS: readonly (readonly [name: string, meaning: string, example: string])[] = [
  ["webhook-id", "The event: the same for every receiver, retry and redelivery", EVENT_ID],
  ["webhook-timestamp", "When this attempt was made, in seconds since 1970", "1790000000"],
  [
    "webhook-signature",
    "`v1,` and base64; two of them for a day after the secret was rotated",
    "v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=",
  ],
  ["X-Service-Event", "The type of the event", "track.updated"],
  ["X-Service-Event-Id", "The same as `webhook-id`", EVENT_ID],
  [
    "X-Service-Delivery-Id",
    "This event to this receiver: the same in each attempt",
    "dlv_019a8c5e7f3b7d21a4c9e6f0b2d813571",
  ],
  ["X-Service-Api-Version", "The version of the API", "1"],
];

/** Returns the `webhooks` section: what is sent for each event. */
export function webhooksOf(components: Components) {
  return Object.fromEntries(
    Object.entries(EVENTS).map(([type, data]) => [type, { post: deliveryOf(type, data, components) }]),
  );
}

function deliveryOf(type: string, data: TSchema, components: Components) {
  const name = pascalCase(type);
  const schema = components.refer(
    shape(
      `${name}Event`,
      {
        id: Type.String({ description: "The event", examples: [EVENT_ID] }),
        type: Type.Literal(type, { description: "The type of the event" }),
        timestamp: Type.String({ format: "date-time", description: "When it happened" }),
        apiVersion: Type.Literal("1", { description: "The version of the API" }),
        data,
      },
      { description: data.description ?? "" },
    ),
  );
  const example = exampleOf(schema, components.resolve);
  return {
    operationId: `on${name}`,
    tags: ["Webhooks"],
    summary: data.description,
    description: "Sent to the webhook of every key that may read it. Answer with any 2xx within 15 seconds.",
    security: [],
    parameters: FIELDS.map(([field, description, value]) => ({
      name: field,
      in: "header",
      required: true,
      description,
      schema: { type: "string" },
      example: value,
    })),
    requestBody: { required: true, content: { "application/json": { schema, example } } },
    responses: {
      "2XX": { description: "Taken" },
      410: { description: "The receiver is gone: the webhook is switched off" },
      "4XX": { description: "Not taken: it is sent again later" },
    },
  };
}

const pascalCase = (type: string) =>
  type.replace(/(?:^|[._])(\w)/g, (_, letter: string) => letter.toUpperCase());
