import { mayDo, type Principal } from "../../kernel/actor.ts";
import { type OrdinaryScope, satisfies } from "../../kernel/scopes.ts";
import type { Surface } from "../surface.ts";

type Message = { method?: unknown; params?: { name?: unknown; uri?: unknown; arguments?: unknown } };

/**
 * Returns the scopes that a message, or any message of a batch, needs and its sender lacks. None where the role of whoever let the
 * program in does not allow one of them: asking for consent again would not add it, so the tool itself refuses.
 */
export function missingScopes(
  surface: Surface,
  body: unknown,
  { scopes, actor }: Principal,
): OrdinaryScope[] {
  const messages = (Array.isArray(body) ? body : [body]) as (Message | null | undefined)[];
  const needed = messages.flatMap((message) => scopesOf(surface, message));
  const missing = [...new Set(needed)].filter((scope) => !satisfies(scopes, scope));
  return missing.every((scope) => mayDo(actor, scope)) ? missing : [];
}

function scopesOf(
  { tools, resources }: Surface,
  message: Message | null | undefined,
): readonly OrdinaryScope[] {
  const { name, uri, arguments: input } = message?.params ?? {};
  if (message?.method === "tools/call") {
    const tool = tools.find(({ listed }) => listed.name === name);
    return tool?.scopesOf(typeof input === "object" && input !== null ? { ...input } : {}) ?? [];
  }
  if (message?.method === "resources/read" && typeof uri === "string")
    return resources.find(({ matches }) => matches(uri))?.scopes ?? [];
  return [];
}
