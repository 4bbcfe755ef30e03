/** @jsxRuntime automatic @jsxImportSource preact */
/** The script of the document for times without a connection. */
import "../styles/console.css";
import { render } from "preact";

const place = document.getElementById("console");
if (place) {
  place.replaceChildren();
  render(
    <main class="screen">
      <h1>Pocket</h1>
      <p role="status">No connection. Nothing is kept on this device.</p>
    </main>,
    place,
  );
}
