// Changes elements into fresh ones, and keeps what is the reader's: what they typed, the focus, and what they opened.

/** Changes an element into a fresh one of the same name. */
export function morph(old, fresh) {
  if (old.nodeName !== fresh.nodeName) return old.replaceWith(fresh);
  if (old.nodeType !== Node.ELEMENT_NODE) {
    if (old.nodeValue !== fresh.nodeValue) old.nodeValue = fresh.nodeValue;
    return;
  }
  const kept = typed(old);
  attributes(old, fresh);
  children(old, fresh);
  kept?.();
}

/** What puts back what was typed or chosen in a field; nothing if the field is as the server sent it. */
function typed(field) {
  if (field.matches("input[type=checkbox], input[type=radio]")) {
    const { checked, defaultChecked } = field;
    return () => { field.checked = checked === defaultChecked ? field.defaultChecked : checked; };
  }
  if (field.matches("input:not([type=hidden]), textarea")) {
    const { value, defaultValue } = field;
    return () => { if (value === defaultValue) field.value = field.defaultValue; };
  }
  if (field.matches("select")) {
    const { value } = field, usual = chosen(field);
    return () => { field.value = value === usual ? chosen(field) : value; };
  }
}

const chosen = select =>
  ([...select.options].findLast(option => option.defaultSelected) ?? select.options[0])?.value;

function attributes(old, fresh) {
  for (const { name } of [...old.attributes]) {
    if (!fresh.hasAttribute(name) && !(name === "open" && old.matches("details, dialog"))) old.removeAttribute(name);
  }
  for (const { name, value } of fresh.attributes) {
    if (old.getAttribute(name) !== value && !(name === "open" && old.matches("details, dialog"))) old.setAttribute(name, value);
  }
}

/** By what an element is the same as a fresh one. A form is the same if it does the same to the same thing. */
function key(node) {
  if (node.nodeType !== Node.ELEMENT_NODE) return node.nodeName;
  const own = node.id || node.dataset?.key || node.dataset?.habit;
  if (own) return `${node.nodeName} ${own}`;
  if (node.localName !== "form") return node.nodeName;
  const fields = [...node.querySelectorAll("[type=hidden]")].filter(({ name }) => !["token", "back", "id", "value"].includes(name));
  return `form ${fields.map(({ name, value }) => `${name}=${value}`).join("&")}`;
}

function children(old, fresh) {
  const there = new Map();
  for (const node of old.childNodes) {
    const name = key(node);
    there.set(name, [...there.get(name) ?? [], node]);
  }
  let place = old.firstChild;
  for (const node of [...fresh.childNodes]) {
    const same = there.get(key(node))?.shift();
    if (!same) {
      old.insertBefore(node, place);
      continue;
    }
    // An element that stays where it is, is not moved: moving takes the focus.
    if (same === place) place = place.nextSibling;
    else old.insertBefore(same, place);
    morph(same, node);
  }
  for (const nodes of there.values()) for (const node of nodes) node.remove();
}
