/** @jsxRuntime automatic @jsxImportSource preact */
import { Screen } from "../../ui/screen.tsx";

export default function WelcomeScreen() {
  return <Screen heading="Welcome" />;
}
