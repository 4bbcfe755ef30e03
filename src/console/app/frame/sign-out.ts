import { href } from "../first-data.ts";
import { keepsSomething } from "../pocket/kept.ts";
import { pocket } from "../pocket/pocket.ts";

/** Ends the session by a form, as the page does it: the answer takes the cookie away and leads to the sign-in page. */
export async function signOut(): Promise<void> {
  if (keepsSomething()) {
    const { leaveNothing } = await pocket();
    if (!(await leaveNothing())) return;
  }
  const form = document.createElement("form");
  form.method = "post";
  form.action = href("/signout");
  document.body.append(form);
  form.submit();
}
