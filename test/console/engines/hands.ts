/**
 * Source of what a person does in a page, as `hands`: it finds by role and name, presses, types and chooses files. The
 * engines' drivers can do none of this in the same way.
 */
export const HANDS = `(() => {
  const ROLES = {
    button: "button, [role=button]", link: "a[href], [role=link]", textbox: "input:not([type]), input[type=text], input[type=email], input[type=password], textarea, [role=textbox]",
    searchbox: "input[type=search]", combobox: "[role=combobox]", heading: "h1, h2, h3", row: "[role=row]", grid: "[role=grid]", dialog: "dialog[open], [role=dialog]",
    menuitem: "[role=menuitem]", listitem: "li, [role=listitem]",
  };
  const nameOf = (element) => {
    const by = element.getAttribute("aria-labelledby");
    const label = element.id && document.querySelector('label[for="' + CSS.escape(element.id) + '"]');
    const text = element.getAttribute("aria-label") ?? (by && document.getElementById(by)?.textContent) ??
      label?.textContent ?? element.closest("label")?.textContent ?? element.textContent;
    return (text ?? "").trim().replace(/\\s+/g, " ");
  };
  const isShown = (element) => element.checkVisibility?.() ?? element.getClientRects().length > 0;
  const find = (role, name) => [...document.querySelectorAll(ROLES[role])].find((element) =>
    isShown(element) && (name instanceof RegExp ? name.test(nameOf(element)) : nameOf(element) === name));
  const until = (look, what) => new Promise((done, fail) => {
    const startedAt = performance.now();
    const again = () => {
      const found = look();
      if (found) done(found);
      else if (performance.now() - startedAt > 40000) fail(new Error("Waited in vain for " + what + " at " + location.pathname));
      else setTimeout(again, 30);
    };
    again();
  });
  const see = (role, name) => until(() => find(role, name), role + " " + name);
  return {
    see: async (role, name) => nameOf(await see(role, name)),
    // Afterwards: a press may leave the page, and with it the answer.
    press: async (role, name) => { const element = await see(role, name); setTimeout(() => element.click(), 100); return true; },
    type: async (role, name, text) => {
      const field = await see(role, name);
      field.focus();
      const set = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), "value").set;
      set.call(field, text);
      field.dispatchEvent(new InputEvent("input", { bubbles: true, inputType: "insertText", data: text }));
      return true;
    },
    enter: async (role, name) =>
      (await see(role, name)).dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true, cancelable: true })),
    drop: (name, base64) => {
      const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
      const files = new DataTransfer();
      files.items.add(new File([bytes], name, { type: "audio/wav" }));
      for (const type of ["dragenter", "dragover", "drop"]) {
        const event = new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer: files });
        // WebKit gives files only to a hand that drags.
        if (event.dataTransfer?.files.length !== 1) Object.defineProperty(event, "dataTransfer", { value: files });
        document.body.dispatchEvent(event);
      }
      return true;
    },
    text: async (pattern) => {
      await until(() => pattern.test(document.body.innerText), String(pattern));
      return true;
    },
    at: async (pattern) => {
      await until(() => pattern.test(location.pathname + location.search), String(pattern));
      return true;
    },
  };
})()`;
