/** @jsxRuntime automatic @jsxImportSource preact */
import type { ComponentChildren } from "preact";
import { STATUS, toDomainError } from "../http/errors.ts";
import type { DomainError } from "../kernel/errors.ts";
import type { PageBrand } from "./brand.ts";
import { ButtonLink, Card } from "./components.tsx";
import { Page } from "./layout.tsx";
import { htmlResponse } from "./respond.ts";

/** A page with one message. */
export type Message = {
  title: string;
  lead: ComponentChildren;
  status?: number;
  headers?: Readonly<Record<string, string>>;
  root?: string;
  /** What it shows in place of our name, mark and colour. */
  brand?: PageBrand | undefined;
  /** Shown below the words, such as a button. */
  children?: ComponentChildren;
};

/** Answers with a page that shows one message. */
export function messageResponse({
  title,
  lead,
  status,
  headers,
  root,
  brand,
  children,
}: Message): Promise<Response> {
  return htmlResponse(
    <Page title={title} root={root ?? ""}>
      <Card title={title} lead={lead}>
        {children}
      </Card>
    </Page>,
    { ...(status !== undefined && { status }), ...(headers && { headers }), ...(brand && { brand }) },
  );
}

/**
 * Runs a page's handler. A refusal becomes a page that explains it, with the refusal's status. Errors whose text is
 * not meant for strangers are thrown again, and the error hook logs them. `brandOf` says whose page it is.
 */
export async function asPage(
  root: string,
  handler: () => Response | Promise<Response>,
  brandOf?: () => PageBrand,
): Promise<Response> {
  try {
    return await handler();
  } catch (thrown) {
    const refusal = toDomainError(thrown);
    if (refusal.code === "internal_error") throw thrown;
    return refusalResponse(root, refusal, brandOf?.());
  }
}

const TITLES: Readonly<Record<number, string>> = {
  404: "Nothing here",
  405: "Nothing to see here",
  413: "Too large",
  429: "A little too fast",
  500: "Something went wrong",
  503: "That took too long",
};

/** Answers with a page that explains a refusal to a person, with the refusal's status. */
export function refusalResponse(root: string, refusal: DomainError, brand?: PageBrand): Promise<Response> {
  const status = STATUS[refusal.code];
  const issues = (refusal.data?.errors ?? []) as readonly { path: string; detail: string }[];
  return messageResponse({
    title: TITLES[status] ?? "That did not work",
    lead:
      refusal.code === "internal_error"
        ? "This is a fault of the server. Please try again; the server's log has the details."
        : `${refusal.message}.`,
    status,
    headers: refusal.headers,
    root,
    brand,
    children: (
      <>
        {issues.length > 0 && (
          <ul>
            {issues.map(({ path, detail }) => (
              <li key={path}>
                <code>{path}</code> {detail}
              </li>
            ))}
          </ul>
        )}
        {refusal.code === "not_found" && (
          <ButtonLink kind="secondary" href={`${root}/`}>
            Go to the start page
          </ButtonLink>
        )}
      </>
    ),
  });
}
