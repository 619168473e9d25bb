"use strict";
// The script of Proctor's pages: sends the person's input, and has the browser ask for the passkey. It decides nothing:
// Proctor checks everything it sends.

const session = document.querySelector("meta[name=session]").content;
const said = document.getElementById("said");
const phase = document.body.dataset.phase;

const toPage = (text) => Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (it) => it.charCodeAt(0));
const fromPage = (buffer) =>
  btoa(Array.from(new Uint8Array(buffer), (it) => String.fromCharCode(it)).join(""))
    .replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");

function say(words, kind) {
  said.textContent = words;
  said.className = kind || "";
  said.scrollIntoView({ block: "nearest" });
}

async function send(path, value) {
  let answer;
  try {
    answer = await fetch(path, {
      method: "POST",
      headers: { "Content-Type": "application/json", "X-Proctor-Session": session },
      body: JSON.stringify(value),
    });
  } catch {
    throw new Error("Proctor asks nothing any more. The terminal says how it ended.");
  }
  const text = await answer.text();
  if (!answer.ok) throw new Error(text.trim());
  return JSON.parse(text);
}

function end(words) {
  document.body.dataset.phase = "end";
  for (const field of document.querySelectorAll("button, input, textarea")) field.disabled = true;
  say(words, "end");
}

async function declined(error) {
  const answer = await send("/declined", { why: error.name || "Error" });
  end(answer.words);
}

const known = (list) => list.map((id) => ({ type: "public-key", id: toPage(id) }));

async function sign() {
  const asked = await send("/challenge", {});
  say("Your browser asks for your passkey now.");
  let credential;
  try {
    credential = await navigator.credentials.get({
      publicKey: {
        challenge: toPage(asked.challenge),
        rpId: asked.party,
        allowCredentials: known(asked.credentials),
        userVerification: asked.verification,
        timeout: asked.timeout,
      },
    });
  } catch (error) {
    return declined(error);
  }
  const response = credential.response;
  const answer = await send("/assertion", {
    authenticator_data: fromPage(response.authenticatorData),
    client_data: fromPage(response.clientDataJSON),
    signature: fromPage(response.signature),
  });
  end(answer.words);
}

async function enrol() {
  const asked = await send("/challenge", {});
  say("Your browser asks for the new passkey now.");
  let credential;
  try {
    credential = await navigator.credentials.create({
      publicKey: {
        challenge: toPage(asked.challenge),
        rp: { id: asked.party, name: "Proctor" },
        user: { id: toPage(asked.user.id), name: asked.user.name, displayName: asked.user.name },
        pubKeyCredParams: [{ type: "public-key", alg: -7 }],
        authenticatorSelection: { residentKey: "preferred", userVerification: "preferred" },
        excludeCredentials: known(asked.credentials),
        attestation: "none",
      },
    });
  } catch (error) {
    return declined(error);
  }
  const response = credential.response;
  const answer = await send("/registration", {
    authenticator_data: fromPage(response.getAuthenticatorData()),
    client_data: fromPage(response.clientDataJSON),
  });
  end(answer.words);
}

/** Runs once at a time, and reports errors. */
function when(element, event, work) {
  if (!element) return;
  let busy = false;
  element.addEventListener(event, async (it) => {
    it.preventDefault();
    if (busy) return;
    busy = true;
    try {
      await work(it);
    } catch (error) {
      say(error.message, "bad");
    }
    busy = false;
  });
}

const byId = (id) => document.getElementById(id);

if (phase === "review") {
  const button = byId("comment");
  const boxes = () => Array.from(document.querySelectorAll("textarea.comment"));
  const written = () => boxes().filter((box) => box.value.trim() !== "");
  const count = () => {
    if (!button) return;
    const many = written().length;
    button.disabled = many === 0;
    button.textContent = many === 0 ? "Send comments to the model" : `Send ${many} comment${many === 1 ? "" : "s"} to the model`;
  };
  const open = (line) => {
    const next = line.nextElementSibling;
    if (next && next.matches("textarea.comment")) return next.focus();
    const box = document.createElement("textarea");
    box.className = "comment";
    box.rows = 2;
    box.placeholder = "What should the model do otherwise here?";
    box.dataset.place = `${line.parentElement.dataset.path}:${line.dataset.line}${"gone" in line.dataset ? " (as it was before)" : ""}`;
    box.setAttribute("aria-label", `Comment on ${box.dataset.place}`);
    box.addEventListener("input", count);
    box.addEventListener("blur", () => {
      if (box.value.trim() === "") box.remove();
      count();
    });
    line.after(box);
    box.focus();
  };
  const lineOf = (target) => target.closest("pre.diff[data-path] .line[data-line]");
  document.addEventListener("click", (event) => {
    const line = lineOf(event.target);
    if (line && phaseIsOpen() && String(getSelection()) === "") open(line);
  });
  document.addEventListener("keydown", (event) => {
    const line = event.key === "Enter" && event.target.matches(".line") && lineOf(event.target);
    if (line && phaseIsOpen()) {
      event.preventDefault();
      open(line);
    }
  });
  const phaseIsOpen = () => document.body.dataset.phase === "review";
  const answer = async (text) => {
    const message = byId("message");
    const next = await send("/answer", { answer: text, message: message ? message.value : "" });
    if (next.next === "sign") {
      document.body.dataset.phase = "sign";
      for (const field of document.querySelectorAll("button, input, textarea")) field.disabled = true;
      say("Approved. Waiting for your passkey.");
      await sign();
    } else {
      end(next.words);
    }
  };
  when(byId("answer"), "submit", () => {
    if (written().length > 0 && byId("word").value.trim().toUpperCase() === "APPROVE") {
      throw new Error("There are comments that you have not sent. Send them, or empty them to approve.");
    }
    return answer(byId("word").value);
  });
  when(button, "click", () => {
    const lines = written().map((box) => `${box.dataset.place}: ${box.value.trim().replace(/\s*\n\s*/g, " ")}`);
    return answer(`COMMENT ${lines.join("\n")}`);
  });
} else {
  const work = phase === "sign" ? sign : enrol;
  when(byId(phase), "submit", work);
  when(byId("decline"), "click", () => declined({ name: "declined" }));
}
