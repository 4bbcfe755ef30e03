import { href } from "../first-data.ts";

/** Ends the session by a form, as the page does it: the answer takes the cookie away and leads to the sign-in page. */
export function signOut(): void {
  const form = document.createElement("form");
  form.method = "post";
  form.action = href("/signout");
  document.body.append(form);
  form.submit();
}
