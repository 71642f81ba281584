// Keeps the screens that an account has seen, so that they can be read without a connection (MO-10, HH-26).
//
// It keeps only what the server marks as a screen of an account, and of one account at a time: once the server shows a screen
// of another account, or asks to sign in, all that was kept is deleted. It never keeps or repeats what is sent.
// `version` and `files` are the server's: they come first in this script.

const filesName = `files-${version}`, screensName = account => `screens-${account}`;
const mostScreens = 60, longestDays = 30;

// What was asked for before somebody signed out is not kept when it arrives afterwards.
let epoch = 0;

self.addEventListener("install", event => {
  event.waitUntil(caches.open(filesName).then(cache => cache.addAll([...files, "/offline"])).then(() => self.skipWaiting()));
});

self.addEventListener("activate", event => {
  event.waitUntil((async () => {
    // Screens name the files of their version, so they go with those.
    for (const name of await caches.keys()) {
      if (name.startsWith("files-") && name !== filesName) {
        await caches.delete(name);
        await forget();
      }
    }
    await self.clients.claim();
  })());
});

self.addEventListener("fetch", event => {
  const { request } = event, { origin, pathname } = new URL(request.url);
  if (origin !== location.origin) return;
  if (request.method === "POST" && pathname === "/leave") {
    event.waitUntil(forget());
  } else if (request.method === "GET" && files.includes(pathname)) {
    event.respondWith(caches.match(pathname).then(file => file ?? fetch(request)));
  } else if (request.method === "GET" && isScreen(request)) {
    event.respondWith(screen(event));
  } else if (request.method === "POST" && pathname === "/do" && request.mode !== "navigate" && isScreen(request)) {
    event.respondWith(answer(event));
  }
});

const isScreen = request => request.mode === "navigate" || request.headers.get("Accept") === "text/html";

async function forget() {
  epoch += 1;
  for (const name of await caches.keys()) if (name.startsWith("screens-")) await caches.delete(name);
}

/** The server's answer, which is kept if it is a screen. */
async function answer(event) {
  const began = epoch, found = await fetch(event.request);
  event.waitUntil(keep(found.clone(), began));
  return found;
}

async function screen(event) {
  let found;
  try {
    found = await answer(event);
  } catch (failure) {
    const kept = await seen(event.request.url);
    if (kept) return kept;
    if (event.request.mode !== "navigate") throw failure;
    return await caches.match("/offline") ?? Response.error();
  }
  // Something before the server says that the server is away.
  return [502, 503, 504].includes(found.status) ? await seen(event.request.url) ?? found : found;
}

async function keep(found, began) {
  const account = found.headers.get("Daybook-Account");
  if (began !== epoch) return;
  if (!account) {
    if (found.ok && new URL(found.url).pathname === "/enter") await forget();
    return;
  }
  if (found.status !== 200) return;
  const text = await found.text();
  if (began !== epoch) return;
  for (const name of await caches.keys()) {
    if (name.startsWith("screens-") && name !== screensName(account)) await caches.delete(name);
  }
  // The headers are kept, too: they say what the screen may do.
  const headers = new Headers(found.headers);
  headers.set("Daybook-Kept", new Date().toISOString());
  // The text is no longer compressed, if a proxy compressed it.
  for (const name of ["Content-Encoding", "Content-Length"]) headers.delete(name);
  const cache = await caches.open(screensName(account)), address = found.url.split("#")[0];
  if (began !== epoch) return;
  await cache.delete(address);
  await cache.put(address, new Response(text, { headers }));
  const all = await cache.keys();
  for (const old of all.slice(0, Math.max(0, all.length - mostScreens))) await cache.delete(old);
  // Somebody who signed out meanwhile deleted a cache that was then made again.
  if (began !== epoch) await caches.delete(screensName(account));
}

/** A screen as it was seen, marked with when that was. */
async function seen(url) {
  for (const name of await caches.keys()) {
    if (!name.startsWith("screens-")) continue;
    const found = await (await caches.open(name)).match(url.split("#")[0], { ignoreVary: true });
    const date = found?.headers.get("Daybook-Kept");
    if (!date || Date.now() - Date.parse(date) > longestDays * 86_400_000) continue;
    const text = (await found.text()).replace("<html ", `<html data-kept="${date}" `);
    return new Response(text, { headers: found.headers });
  }
}
