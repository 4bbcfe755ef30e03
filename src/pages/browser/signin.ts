import { hasPasskeys, isDismissed, usePasskey } from "../passkeys/browser.ts";
import { byId, findById } from "./dom.ts";

const form = findById<HTMLFormElement>("passkey");

/** The button is hidden until a browser shows that it can do what it says. */
if (form && hasPasskeys()) {
  form.hidden = false;
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    void signIn(form);
  });
}

async function signIn(sent: HTMLFormElement): Promise<void> {
  const button = sent.querySelector("button");
  const problem = byId("passkey-problem");
  problem.hidden = true;
  if (button) button.disabled = true;
  try {
    const answer = await fetch(sent.dataset.options ?? "", { method: "POST" });
    const { data, message } = await answer.json();
    if (!answer.ok) throw new Error(message);
    const credential = await usePasskey(data.options);
    byId<HTMLInputElement>("passkey-answer").value = JSON.stringify({ flow: data.flow, credential });
    sent.submit();
  } catch (error) {
    if (button) button.disabled = false;
    if (isDismissed(error)) return;
    problem.textContent = "That did not work. Try again, or sign in with your password.";
    problem.hidden = false;
  }
}
