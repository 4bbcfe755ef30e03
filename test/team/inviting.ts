import type { Answer, TestApp } from "../support/app.ts";

/** Invites an address and returns the answer's data, with the token of the link. */
export async function invited(
  app: TestApp,
  token: string,
  body: { email: string; role?: string; [field: string]: unknown },
) {
  const { status, body: answer } = await app.signedIn(token)("POST", "/app/team/invitations", {
    role: "producer",
    ...body,
  });
  if (status !== 200) throw new Error(`Not invited: ${status} ${answer.message}`);
  return { ...answer.data, token: tokenOf(answer.data.url) };
}

/** Returns the token of an invitation's link. */
export const tokenOf = (url: string) => new URL(url).searchParams.get("token") ?? "";

/** Joins over the API, without a session unless one is given. */
export async function join(app: TestApp, body: object, session?: string): Promise<Answer> {
  const response = await app.request("/auth/join", {
    method: "POST",
    headers: {
      "content-type": "application/json",
      ...(session !== undefined && { authorization: `Bearer ${session}` }),
    },
    body: JSON.stringify(body),
  });
  return { status: response.status, headers: response.headers, body: await response.json() };
}
