/** The page's entry: mounts the application. */
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import "../theme/tokens.css";

const root = document.getElementById("root");
if (root) {
  createRoot(root).render(
    <StrictMode>
      <main>Queuescope</main>
    </StrictMode>,
  );
}
