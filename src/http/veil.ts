import type { TSchema } from "@sinclair/typebox";
import type { OnBehalf } from "../kernel/actor.ts";
import type { Allowed, Need } from "../kernel/roles.ts";
import { type Operation, WithHeaders } from "./operation.ts";

/** Marks a field in a schema, and in the document, with the need without which it is empty. */
const MARK = "x-empty-without";

/**
 * A field that is empty in every answer to somebody whose role does not allow `need`, whatever the scopes of their key: no
 * items, 0, null or an empty text.
 */
export const seenWith = <Schema extends TSchema>(need: Need, schema: Schema): Schema => ({
  ...schema,
  [MARK]: need,
});

/** What is hidden below a schema: at this place, in its fields or in its items. */
type Plan = {
  hidden?: { need: Need; empty: unknown };
  fields?: ReadonlyMap<string, Plan>;
  items?: Plan;
};

/** Empties what an actor may not see in what an operation returned. */
type Veil = (actor: unknown, returned: unknown) => unknown;

/**
 * Returns the {@link Veil} of an operation. Files and other answers that are not JSON pass: who makes them asks for the need.
 */
export function veilOf(operation: Pick<Operation, "answer" | "siblings">): Veil {
  let veil: Veil | undefined;
  // Prepared for the first answer to somebody whose role limits them: a start would look through hundreds of schemas.
  return (actor, returned) => {
    if ((actor as OnBehalf | undefined)?.allowed === undefined) return returned;
    veil ??= preparedVeil(operation);
    return veil(actor, returned);
  };
}

const seeThrough: Veil = (_, returned) => returned;

function preparedVeil({ answer, siblings }: Pick<Operation, "answer" | "siblings">): Veil {
  const data = planOf(answer);
  const beside = Object.entries(siblings ?? {}).map(([name, schema]) => [name, planOf(schema)] as const);
  const fields = [...(siblings ? [["items", data] as const] : []), ...beside].flatMap(([name, plan]) =>
    plan ? [[name, plan] as const] : [],
  );
  const plan: Plan | undefined = siblings
    ? fields.length > 0
      ? { fields: new Map(fields) }
      : undefined
    : data;
  if (plan === undefined) return seeThrough;
  const needs = [...needsOf(plan)];
  return (actor, returned) => {
    const allowed = (actor as OnBehalf | undefined)?.allowed;
    if (allowed === undefined || returned instanceof Response) return returned;
    if (needs.every((need) => allowed.needs.has(need))) return returned;
    if (returned instanceof WithHeaders)
      return new WithHeaders(veiled(plan, returned.data, allowed), returned.headers);
    return veiled(plan, returned, allowed);
  };
}

/** The role may have become smaller since an answer was kept. */
export async function veiledAgain(
  { siblings }: Pick<Operation, "siblings">,
  veil: Veil,
  actor: unknown,
  kept: Response,
): Promise<Response> {
  const text = await kept.text();
  const { status, headers } = kept;
  const { data, ...rest } = JSON.parse(text);
  const returned = siblings ? { ...rest, items: data } : data;
  const shown = status === 200 ? veil(actor, returned) : returned;
  if (shown === returned) return new Response(text, { status, headers });
  const { items, ...beside } = shown as { items?: unknown };
  return new Response(JSON.stringify(siblings ? { ...beside, data: items } : { ...rest, data: shown }), {
    status,
    headers,
  });
}

function planOf(schema: TSchema): Plan | undefined {
  const need: Need | undefined = schema[MARK];
  if (need !== undefined) return { hidden: { need, empty: emptyOf(schema) } };
  const fields = new Map<string, Plan>();
  for (const [name, field] of Object.entries<TSchema>(schema.properties ?? {})) {
    const plan = planOf(field);
    if (plan) fields.set(name, plan);
  }
  const items = schema.items && !Array.isArray(schema.items) ? planOf(schema.items) : undefined;
  const own: Plan = { ...(fields.size > 0 && { fields }), ...(items && { items }) };
  const choices: TSchema[] = schema.anyOf ?? schema.allOf ?? [];
  const plan = choices.map(planOf).reduce<Plan>((all, each) => merged(all, each), own);
  return plan.fields || plan.items || plan.hidden ? plan : undefined;
}

function merged(one: Plan, other: Plan | undefined): Plan {
  const fields = new Map([...(one.fields ?? []), ...(other?.fields ?? [])]);
  const items = one.items ?? other?.items;
  const hidden = one.hidden ?? other?.hidden;
  return { ...(fields.size > 0 && { fields }), ...(items && { items }), ...(hidden && { hidden }) };
}

const EMPTY: Readonly<Record<string, unknown>> = { number: 0, integer: 0, boolean: false, string: "" };

function emptyOf({ type, anyOf = [] }: TSchema): unknown {
  if (type === "array") return [];
  if (typeof type === "string" && type in EMPTY) return EMPTY[type];
  if ((anyOf as TSchema[]).some((choice) => choice.type === "null")) return null;
  throw new Error("Nothing empties this field");
}

function* needsOf({ hidden, fields, items }: Plan): Iterable<Need> {
  if (hidden) yield hidden.need;
  for (const field of fields?.values() ?? []) yield* needsOf(field);
  if (items) yield* needsOf(items);
}

/** Copies what it changes: answers may share values with what is kept. */
function veiled(plan: Plan, value: unknown, allowed: Allowed): unknown {
  const { hidden, fields, items } = plan;
  if (hidden && !allowed.needs.has(hidden.need)) return hidden.empty;
  if (Array.isArray(value)) return items ? value.map((item) => veiled(items, item, allowed)) : value;
  if (!fields || typeof value !== "object" || value === null) return value;
  const copy: Record<string, unknown> = { ...value };
  for (const [name, field] of fields)
    if (copy[name] !== undefined) copy[name] = veiled(field, copy[name], allowed);
  return copy;
}
