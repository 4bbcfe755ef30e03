import { href } from "../first-data.ts";
import { keepsSomething } from "../pocket/kept.ts";
import { pocket } from "../pocket/pocket.ts";

/** Ends the session by a form, as the page does it: the answer takes the cookie away and leads to the sign-in page. */
export async function signOut(): Promise<void> {
  if (!(await mayLeave())) return;
  const form = document.createElement("form");
  form.method = "post";
  form.action = href("/signout");
  document.body.append(form);
  form.submit();
}

/** Nothing stays behind a sign-out. What is kept is deleted without a connection too, by the part that is loaded with it. */
async function mayLeave(): Promise<boolean> {
  if (keepsSomething()) return (await pocket()).leaveNothing();
  const { discardShared } = await import("../pocket/discard-shared.ts");
  return discardShared();
}
