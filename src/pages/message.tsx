/** @jsxRuntime automatic @jsxImportSource preact */
import type { ComponentChildren } from "preact";
import { STATUS, toDomainError } from "../http/errors.ts";
import { Card } from "./components.tsx";
import { Page } from "./layout.tsx";
import { htmlResponse } from "./respond.ts";

/** A page with one message. */
export type Message = {
  title: string;
  lead: ComponentChildren;
  status?: number;
  headers?: Readonly<Record<string, string>>;
  root?: string;
  /** Below the words, such as a button. */
  children?: ComponentChildren;
};

/** Answers with a page that says one thing, kindly. */
export function messageResponse({
  title,
  lead,
  status,
  headers,
  root,
  children,
}: Message): Promise<Response> {
  return htmlResponse(
    <Page title={title} root={root ?? ""}>
      <Card title={title} lead={lead}>
        {children}
      </Card>
    </Page>,
    { ...(status !== undefined && { status }), ...(headers && { headers }) },
  );
}

/**
 * Runs a page's handler; a refusal becomes a page that says it in words, with its own status. What was not meant for
 * strangers is thrown on: the error hook logs it.
 */
export async function asPage(root: string, handler: () => Response | Promise<Response>): Promise<Response> {
  try {
    return await handler();
  } catch (thrown) {
    const refusal = toDomainError(thrown);
    if (refusal.code === "internal_error") throw thrown;
    const status = STATUS[refusal.code];
    return messageResponse({
      title: status === 404 ? "Nothing here" : status === 429 ? "A little too fast" : "That did not work",
      lead: `${refusal.message}.`,
      status,
      headers: refusal.headers,
      root,
    });
  }
}
