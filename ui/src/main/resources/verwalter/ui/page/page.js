"use strict";
(() => {
  const root = document.documentElement;
  root.classList.add("scripted");
  const chosen = () => {
    try { return localStorage.getItem("verwalter.theme"); } catch { return null; }
  };
  if (chosen()) root.dataset.theme = chosen();

  // Ages, in the same format as on the server (Ages.java).
  const both = (large, unit, small, smallUnit) => large + unit + (small ? small + smallUnit : "");
  const age = (milliseconds) => {
    const s = Math.max(0, Math.floor(milliseconds / 1000));
    const m = Math.floor(s / 60), h = Math.floor(m / 60), d = Math.floor(h / 24);
    if (s < 120) return s + "s";
    if (m < 10) return both(m, "m", s % 60, "s");
    if (h < 3) return m + "m";
    if (h < 8) return both(h, "h", m % 60, "m");
    if (h < 48) return h + "h";
    if (d < 8) return both(d, "d", h % 24, "h");
    if (d < 730) return d + "d";
    return both(Math.floor(d / 365), "y", d % 365, "d");
  };
  const selecting = () => {
    const selection = document.getSelection();
    return Boolean(selection) && !selection.isCollapsed && document.getElementById("main").contains(selection.anchorNode);
  };

  document.addEventListener("DOMContentLoaded", () => {
    const byId = (id) => document.getElementById(id);
    const bodies = [...document.querySelectorAll("tbody[data-section]")];
    const body = (section) => bodies.find((each) => each.dataset.section === section);
    const filter = byId("filter"), line = byId("line"), word = byId("line-word"), say = byId("say");
    let skew = Date.now() - Date.parse(document.body.dataset.now);
    let lastMessage = Date.now(), last = document.body.dataset.event, source = null, held = [];
    const drawn = new Map();

    // Rendering.
    const tick = (within) => {
      const now = Date.now() - skew;
      for (const time of within.querySelectorAll("time")) {
        const text = age(now - Date.parse(time.dateTime));
        if (time.textContent !== text) time.textContent = text;
      }
    };
    const sift = () => {
      const words = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
      const matches = (row) => {
        const text = (row.id + " " + row.textContent).toLowerCase();
        return words.every((each) => text.includes(each));
      };
      for (const each of bodies) {
        let shown = 0;
        for (const row of each.rows) {
          const hidden = words.length > 0 && !matches(row);
          if (row.hidden !== hidden) row.hidden = hidden;
          shown += hidden ? 0 : 1;
        }
        const count = document.querySelector(`[data-count="${each.dataset.section}"]`);
        const text = each.rows.length === 0 ? "" : shown === each.rows.length ? String(shown) : `${shown} of ${each.rows.length}`;
        if (count.textContent !== text) count.textContent = text;
      }
    };
    const parse = (html) => {
      const template = document.createElement("template");
      template.innerHTML = html;
      return [...template.content.children];
    };
    const place = (tbody, row) => {
      const rows = tbody.rows;
      let low = 0, high = rows.length;
      while (low < high) {
        const middle = (low + high) >> 1;
        if (rows[middle].dataset.sort < row.dataset.sort) low = middle + 1; else high = middle;
      }
      tbody.insertBefore(row, rows[low] || null);
    };
    const put = (tbody, row) => {
      const old = byId(row.id);
      if (old && old.dataset.v === row.dataset.v) return;
      tick(row);
      row.classList.add("fresh");
      const state = row.querySelector(".tone");
      const before = old && old.querySelector(".tone");
      if (state && (!before || before.textContent !== state.textContent)) {
        say.textContent = `${row.id.replace("/", " ")}: ${state.textContent.replace(/^\S+ /, "")}`;
      }
      if (old && old.dataset.sort === row.dataset.sort) { old.replaceWith(row); return; }
      if (old) old.remove();
      place(tbody, row);
      const limit = Number(tbody.dataset.limit || 0);
      while (limit && tbody.rows.length > limit) tbody.rows[tbody.rows.length - 1].remove();
    };
    const showParts = (parts) => {
      for (const [name, html] of Object.entries(parts)) {
        const part = byId("part-" + name);
        if (drawn.get(name) === html) continue;
        const open = [...part.querySelectorAll("details")].map((each) => each.open);
        part.innerHTML = html;
        drawn.set(name, html);
        part.querySelectorAll("details").forEach((each, i) => { if (i < open.length) each.open = open[i]; });
        tick(part);
      }
    };
    const show = (message) => {
      for (const each of message.rows || []) for (const row of parse(`<table><tbody>${each.html}</tbody></table>`)[0].rows) put(body(each.section), row);
      for (const id of message.gone || []) { const row = byId(id); if (row) row.remove(); }
      for (const [section, html] of Object.entries(message.sections || {})) {
        const tbody = body(section);
        const rows = [...parse(`<table><tbody>${html}</tbody></table>`)[0].rows];
        const kept = new Set(rows.map((row) => row.id));
        for (const row of [...tbody.rows]) if (!kept.has(row.id)) row.remove();
        rows.forEach((row) => put(tbody, row));
      }
      showParts(message.parts || {});
      sift();
    };

    // The connection to the server. It sends a heartbeat every 3 s; an agent that is frozen or overloaded does not,
    // while its socket stays open.
    const SILENCE = 7000, RECONNECT = 25000;
    const state = (name, text) => {
      if (line.dataset.state !== name) {
        if (name === "lost") say.textContent = "No connection to the agent";
        if (name === "live" && line.dataset.state === "lost") say.textContent = "Live again";
        line.dataset.state = name;
      }
      if (word.textContent !== text) word.textContent = text;
    };
    const take = (event) => {
      lastMessage = Date.now();
      if (event.lastEventId) last = event.lastEventId;
      const message = JSON.parse(event.data);
      skew = Date.now() - Date.parse(message.at);
      if (event.type === "beat") return;
      if (selecting()) held.push(message); else show(message);
    };
    const connect = () => {
      source = new EventSource("/ui/events?after=" + encodeURIComponent(last));
      source.onopen = () => { lastMessage = Date.now(); state("live", "live"); };
      source.onerror = () => {
        state("lost", "reconnecting");
        if (source.readyState === EventSource.CLOSED) setTimeout(connect, 5000);
      };
      for (const type of ["rows", "whole", "beat"]) source.addEventListener(type, take);
    };
    setInterval(() => {
      const pausing = selecting();
      if (!pausing) {
        held.splice(0).forEach(show);
        tick(document);
      }
      const silent = Date.now() - lastMessage;
      if (source.readyState === EventSource.OPEN && silent > RECONNECT) { source.close(); connect(); }
      if (source.readyState !== EventSource.OPEN) state("lost", `reconnecting, seen ${age(silent)} ago`);
      else if (silent > SILENCE) state("lost", `no answer for ${age(silent)}`);
      else if (pausing) state("held", "paused while you select");
      else state("live", "live");
    }, 1000);
    addEventListener("pagehide", () => source.close());
    addEventListener("pageshow", (event) => { if (event.persisted) connect(); });

    // Keys and buttons.
    const turn = () => {
      const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
      root.dataset.theme = dark ? "light" : "dark";
      try { localStorage.setItem("verwalter.theme", root.dataset.theme); } catch { /* the theme is not stored */ }
    };
    const help = byId("help");
    const go = { n: "nodes", r: "roles", i: "instances", p: "processes", s: "schedule", e: "events" };
    let going = 0;
    byId("theme").addEventListener("click", turn);
    byId("help-button").addEventListener("click", () => help.showModal());
    filter.addEventListener("input", () => {
      sift();
      history.replaceState(null, "", filter.value ? "?q=" + encodeURIComponent(filter.value) : location.pathname);
    });
    filter.addEventListener("keydown", (event) => {
      if (event.key === "Escape") { filter.value = ""; filter.dispatchEvent(new Event("input")); filter.blur(); }
    });
    document.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || help.open || /INPUT|TEXTAREA/.test(event.target.tagName)) return;
      if (event.key === "/") { event.preventDefault(); filter.focus(); filter.select(); }
      else if (event.key === "?") help.showModal();
      else if (event.key === "g") going = Date.now();
      else if (go[event.key] && Date.now() - going < 1500) { going = 0; const heading = byId("h-" + go[event.key]); heading.tabIndex = -1; heading.scrollIntoView({ block: "start" }); heading.focus({ preventScroll: true }); }
      else if (event.key === "t") turn();
    });

    filter.value = new URLSearchParams(location.search).get("q") || "";
    tick(document);
    sift();
    connect();
  });
})();
