import type { Operation } from "../../http/operation.ts";
import { isPlatformScope, type OrdinaryScope } from "../../kernel/scopes.ts";

/** An operation that tools may call: one for the keys of accounts. */
type Callable = Operation & { key: OrdinaryScope };

/** The operations that tools may call, by id. */
export type Operations = ReadonlyMap<string, Callable>;

const isCallable = (operation: Operation): operation is Callable =>
  operation.key !== undefined && !isPlatformScope(operation.key);

/** Returns those of all operations that tools may call. */
export const callable = (operations: readonly Operation[]): Operations =>
  new Map(operations.filter(isCallable).map((operation) => [operation.id, operation]));

/** @throws Error when there is none of that id, which is a bug in a tool. */
export function operationOf(operations: Operations, id: string): Callable {
  const operation = operations.get(id);
  if (!operation) throw new Error(`No operation for keys has the id ${id}`);
  return operation;
}

/** Returns the method of an operation, and its path below `/api/v1`. */
export function addressOf({ at }: Operation, params: Readonly<Record<string, string>> = {}) {
  const [method = "", template = ""] = at.split(" ");
  const path = template.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ""));
  return { method, path };
}

/** Returns the address of an operation as the documents write it: `GET /tracks/{trackId}/versions`. */
export const endpointOf = ({ at }: Operation): string => at.replace(/:(\w+)/g, "{$1}");
