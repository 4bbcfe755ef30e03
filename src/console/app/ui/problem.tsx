/** @jsxRuntime automatic @jsxImportSource preact */
import type { ComponentChildren } from "preact";
import { useErrorBoundary } from "preact/hooks";
import { ApiError, sentenceOf } from "../api/errors.ts";
import { Button } from "./button.tsx";
import { NothingHere } from "./nothing-here.tsx";

type ProblemProps = {
  error: unknown;
  onRetry: () => unknown;
  /** It stands within a screen, whose address is right: a refusal says what is missing. */
  isPart?: boolean;
};

/** What a screen shows in place of its content when that could not be had; without an error, nothing. */
export function Problem({ error, onRetry, isPart = false }: ProblemProps) {
  if (error === null || error === undefined) return null;
  if (error instanceof ApiError && error.status === 404 && !isPart) return <NothingHere />;
  return (
    <div class="problem" role="alert">
      <p>{sentenceOf(error)}</p>
      <Button look="secondary" run={onRetry}>
        Try again
      </Button>
    </div>
  );
}

/** Keeps a fault of its children to itself: frame, player and uploads go on. */
export function Boundary({ children }: { children: ComponentChildren }) {
  const [error, reset] = useErrorBoundary((thrown: unknown) => console.error(thrown));
  return error === undefined ? children : <Problem error={error} onRetry={reset} />;
}
