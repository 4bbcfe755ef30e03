/**
 * What the compiler works out of an operation's declaration: its doors, what goes there, and what comes back. The types are
 * resolved where an operation is declared, so that its declaration file has plain types.
 */
import type { Static, TObject, TProperties, TSchema } from "@sinclair/typebox";
import type { PlatformScope } from "../kernel/scopes.ts";

type Below<At, Base extends string> = At extends `${infer Method} /${infer Path}`
  ? `${Method} ${Base}${Path extends "" ? "" : `/${Path}`}`
  : never;
/** An address as the document writes it: `/shares/{id}`. */
type Written<At> = At extends `${infer Before}/:${infer Name}/${infer After}`
  ? `${Before}/{${Name}}${Written<`/${After}`>}`
  : At extends `${infer Before}/:${infer Name}`
    ? `${Before}/{${Name}}`
    : At;

/**
 * The addresses at which people reach an operation: its own below `/app`, and that of the REST operation through
 * `/app/library`.
 */
export type DoorsOf<At, Key, Session, Place, Root> = Written<
  | (Key extends PlatformScope | undefined ? never : Below<At, "/app/library">)
  | (Session extends string
      ? Place extends string | undefined
        ? Root extends true
          ? At
          : Below<At, "/app">
        : Place extends { at: infer Own }
          ? Own
          : never
      : never)
>;

/** What callers send. They may leave out what has a default. */
export type Sent<Schema> =
  Schema extends TObject<infer Fields>
    ? Defaulted<Fields> extends never
      ? Static<Schema>
      : Flat<
          Static<TObject<Omit<Fields, Defaulted<Fields>>>> &
            Partial<Static<TObject<Pick<Fields, Defaulted<Fields>>>>>
        >
    : Schema extends TSchema
      ? Static<Schema>
      : never;
type Defaulted<Fields extends TProperties> = {
  [Name in keyof Fields]: Fields[Name] extends { default: unknown } ? Name : never;
}[keyof Fields];
type Flat<Fields> = { [Name in keyof Fields]: Fields[Name] };

/** The body of an answer, without what the envelope says of every answer. */
export type Answered<Answer extends TSchema, Siblings extends TProperties, Bare> = Bare extends true
  ? Static<Answer>
  : Static<TObject<{ data: Answer } & Siblings>>;
