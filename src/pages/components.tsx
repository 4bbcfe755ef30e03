/** @jsxRuntime automatic @jsxImportSource preact */
import type { ComponentChildren } from "preact";
import { Cover, CoverShapes } from "./cover.tsx";

type ButtonProps = {
  kind?: "primary" | "secondary" | "quiet";
  type?: "submit" | "button";
  id?: string;
  /** Name and value are sent with the form. */
  name?: string;
  value?: string;
  children: ComponentChildren;
};

/** A button. It submits its form unless its type is `button`. */
export function Button({ kind = "primary", type = "submit", children, ...rest }: ButtonProps) {
  return (
    <button class={`button ${kind}`} type={type} {...rest}>
      {children}
    </button>
  );
}

/** A link that looks like a button. */
export function ButtonLink({
  kind = "primary",
  href,
  children,
}: {
  kind?: ButtonProps["kind"];
  href: string;
  children: ComponentChildren;
}) {
  return (
    <a class={`button ${kind}`} href={href}>
      {children}
    </a>
  );
}

type FieldProps = {
  label: string;
  name: string;
  /** The default is `text`. */
  type?: "text" | "email" | "password" | "url";
  value?: string | undefined;
  required?: boolean;
  /** Shows a value that cannot be changed here. It is sent with the form. */
  readOnly?: boolean;
  minLength?: number;
  maxLength?: number;
  autocomplete?: string;
  autofocus?: boolean;
  /** Set to false for a value that is copied as shown, such as a code. */
  spellcheck?: boolean;
  /** Makes it an input for longer texts, this many rows high. */
  rows?: number;
  /** Shown below the input. */
  hint?: string | undefined;
  /** The fault of the value that was sent. */
  error?: string | undefined;
};

/** A labelled input. */
export function Field({ label, name, type = "text", rows, hint, error, value, ...rest }: FieldProps) {
  const id = `field-${name}`;
  const described = [error && `${id}-error`, hint && `${id}-hint`].filter(Boolean).join(" ");
  const input = {
    id,
    name,
    value: value ?? "",
    ...rest,
    ...(described && { "aria-describedby": described }),
    ...(error && { "aria-invalid": true }),
  };
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {rows === undefined ? <input type={type as "text"} {...input} /> : <textarea rows={rows} {...input} />}
      {error && (
        <p class="field-error" id={`${id}-error`}>
          {error}
        </p>
      )}
      {hint && (
        <p class="field-hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  );
}

type CheckboxProps = {
  label: ComponentChildren;
  name: string;
  /** The value sent when the box is ticked. The default is `on`. */
  value?: string;
  checked?: boolean;
  /** Shown below the label. */
  hint?: string;
};

/** A labelled checkbox. */
export function Checkbox({ label, name, value = "on", checked = false, hint }: CheckboxProps) {
  const id = `field-${name}-${value}`.replace(/[^\w-]/g, "-");
  return (
    <div class="checkbox">
      <input
        type="checkbox"
        id={id}
        name={name}
        value={value}
        checked={checked}
        {...(hint && { "aria-describedby": `${id}-hint` })}
      />
      <label for={id}>{label}</label>
      {hint && (
        <p class="field-hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  );
}

/** A message to read before anything else. Screen readers read out an error at once. */
export function Notice({
  kind = "info",
  children,
}: {
  kind?: "info" | "error";
  children: ComponentChildren;
}) {
  return (
    <div class={`notice ${kind}`} role={kind === "error" ? "alert" : "status"}>
      {children}
    </div>
  );
}

type CardProps = {
  title: string;
  lead?: ComponentChildren;
  /** Draws the disc of the page's sender: the same on all pages of one account. */
  sender?: string | undefined;
  children?: ComponentChildren;
};

/** A framed part of a page with a heading: the usual content of a narrow page. */
export function Card({ title, lead, sender, children }: CardProps) {
  return (
    <section class="card">
      {sender !== undefined && (
        <div class="card-disc">
          <CoverShapes />
          <Cover seed={sender} />
        </div>
      )}
      <h1>{title}</h1>
      {lead && <p class="lead">{lead}</p>}
      {children}
    </section>
  );
}
