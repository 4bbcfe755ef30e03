/** @jsxRuntime automatic @jsxImportSource preact */
import { useId } from "preact/hooks";
import { grouped } from "./numbers.ts";

type SegmentsProps<Value extends string> = {
  /** Accessible name. */
  label: string;
  options: readonly {
    value: Value;
    name: string;
    isDisabled?: boolean;
    /** How much waits there; none shows for 0. */
    count?: number;
  }[];
  /** Undefined: none of them. */
  current: Value | undefined;
  onChange: (value: Value) => void;
};

/** One of a few, side by side. */
export function Segments<Value extends string>({ label, options, current, onChange }: SegmentsProps<Value>) {
  const name = useId();
  return (
    <div class="segments" role="radiogroup" aria-label={label}>
      {options.map(({ value, name: words, isDisabled = false, count = 0 }) => (
        <label key={value} class="segment">
          <input
            type="radio"
            name={name}
            checked={value === current}
            disabled={isDisabled}
            onChange={() => onChange(value)}
          />
          <span>{words}</span>
          {count > 0 && (
            <span class="segment-count" aria-hidden="true">
              {grouped(count)}
            </span>
          )}
        </label>
      ))}
    </div>
  );
}
