// The support code of a cut file, put before its first statement on one line: no comment after code, every statement
// ended. It records values without calling any of their code, and ends every test with the record.
const NAME = (() => {
  const { getPrototypeOf, getOwnPropertyNames, getOwnPropertySymbols, getOwnPropertyDescriptor, is, prototype } = Object;
  const { apply } = Reflect;
  const { isArray } = Array;
  const { isView } = ArrayBuffer;
  const Fault = Error, Text = String, Later = Promise;
  const { toString, propertyIsEnumerable } = prototype;
  const { charCodeAt, slice } = Text.prototype;
  const { getTime } = Date.prototype;
  const { forEach: eachOfMany } = Set.prototype;
  const { forEach: eachOfTable } = Map.prototype;
  const then = Later.prototype.then;
  const types = typeof process === "object" && process !== null && typeof process.getBuiltinModule === "function" ? process.getBuiltinModule("node:util").types : null;
  const proxied = types === null ? () => false : types.isProxy;
  const running = [];
  const hex = "0123456789abcdef";
  const quoted = (text) => {
    let result = "\"";
    for (let at = 0; at < text.length; at++) {
      const code = apply(charCodeAt, text, [at]);
      if (code < 32 || code > 126 || code === 34 || code === 92) result += "\\u" + hex[code >> 12] + hex[code >> 8 & 15] + hex[code >> 4 & 15] + hex[code & 15];
      else result += text[at];
    }
    return result + "\"";
  };
  const sound = (text) => {
    for (let at = 0; at < text.length; at++) {
      const code = apply(charCodeAt, text, [at]);
      if (code >= 0xd800 && code < 0xdc00) { const next = at + 1 < text.length ? apply(charCodeAt, text, [at + 1]) : 0; if (next < 0xdc00 || next > 0xdfff) return false; at++; }
      else if (code >= 0xdc00 && code <= 0xdfff) return false;
    }
    return true;
  };
  const number = (value) => quoted(is(value, -0) ? "-0" : value + "");
  const unknown = (why) => "[\"?\"," + quoted(why) + "]";
  const word = (text) => sound(text) ? "[\"s\"," + quoted(text) + "]" : unknown("a text that is no Unicode");
  const own = (value, key) => { const said = getOwnPropertyDescriptor(value, key); return said !== undefined && "value" in said ? said.value : undefined; };
  const name_of = (made) => { const name = typeof made === "function" && !proxied(made) ? own(made, "name") : undefined; return typeof name === "string" && sound(name) ? name : ""; };
  const classes = (value) => {
    let result = "";
    let above = getPrototypeOf(value);
    for (let depth = 0; above !== null && depth < 12 && !proxied(above); depth++) {
      result += (result ? "," : "") + quoted(name_of(own(above, "constructor")));
      above = getPrototypeOf(above);
    }
    return "[" + result + "]";
  };
  const content = (value, left, around) => {
    if (--left.nodes < 0) return unknown("too large");
    switch (typeof value) {
      case "undefined": return "[\"u\"]";
      case "boolean": return value ? "[\"b\",true]" : "[\"b\",false]";
      case "number": return "[\"n\"," + number(value) + "]";
      case "bigint": return "[\"i\"," + quoted(value + "") + "]";
      case "string": if ((left.letters -= value.length) < 0) return unknown("too large"); return word(value);
      case "symbol": return unknown("a symbol");
      case "function": return "[\"f\"," + quoted(name_of(value)) + "]";
      default: return value === null ? "[\"z\"]" : inside(value, left, around);
    }
  };
  const inside = (value, left, around) => {
    if (proxied(value)) return unknown("a proxy");
    for (let at = 0; at < around.length; at++) if (around[at] === value) return "[\"c\"]";
    if (around.length > 60) return unknown("too deep");
    around[around.length] = value;
    const result = told(value, left, around);
    around.length -= 1;
    return result;
  };
  const told = (value, left, around) => {
    const above = getPrototypeOf(value);
    if (isArray(value)) return list(value, left, around, above);
    let tag = "";
    try { tag = builtin(value); } catch (error) { tag = ""; }
    if (tag === "date") return "[\"d\"," + number(apply(getTime, value, [])) + "]";
    if (tag === "set") { let all = ""; apply(eachOfMany, value, [(one) => { all += (all ? "," : "") + content(one, left, around); }]); return "[\"S\",[" + all + "]]"; }
    if (tag === "map") { let all = ""; apply(eachOfTable, value, [(one, key) => { all += (all ? "," : "") + "[" + content(key, left, around) + "," + content(one, left, around) + "]"; }]); return "[\"m\",[" + all + "]]"; }
    if (isView(value)) {
      const kind = apply(slice, apply(toString, value, []), [8, -1]);
      if (kind === "DataView") return unknown("a view");
      let all = "";
      for (let at = 0; at < value.length; at++) { if (--left.nodes < 0) return unknown("too large"); all += (all ? "," : "") + quoted(value[at] + ""); }
      return "[\"t\"," + classes(value) + ",[" + all + "]]";
    }
    const message = own(value, "message");
    if (tag === "error") return "[\"e\"," + classes(value) + "," + (typeof message === "string" ? word(message) : "[\"u\"]") + "]";
    if (tag !== "") return unknown("a built-in object");
    return "[\"o\"," + (above === null ? "null" : classes(value)) + ",[" + fields(value, getOwnPropertyNames(value), left, around) + "]]";
  };
  const builtin = (value) => {
    if (types !== null) {
      if (types.isDate(value)) return "date";
      if (types.isSet(value)) return "set";
      if (types.isMap(value)) return "map";
      if (types.isNativeError(value)) return "error";
      return types.isRegExp(value) || types.isPromise(value) || types.isBoxedPrimitive(value) || types.isWeakMap(value) || types.isWeakSet(value) || types.isAnyArrayBuffer(value) || types.isGeneratorObject(value) ? "other" : "";
    }
    const tag = apply(toString, value, []);
    return tag === "[object Date]" ? "date" : tag === "[object Set]" ? "set" : tag === "[object Map]" ? "map" : tag === "[object Error]" ? "error" : tag === "[object Object]" ? "" : "other";
  };
  const list = (value, left, around, above) => {
    let all = "";
    const size = own(value, "length");
    if (size > left.nodes) return unknown("too large");
    for (let at = 0; at < size; at++) {
      const said = getOwnPropertyDescriptor(value, at);
      all += (at ? "," : "") + (said === undefined ? "[\"h\"]" : "value" in said ? content(said.value, left, around) : unknown("a getter"));
    }
    const more = getOwnPropertyNames(value).length;
    if (above === null || name_of(own(above, "constructor")) !== "Array" || more > size + 1) return unknown("an array with more than its elements");
    return "[\"a\",[" + all + "]]";
  };
  const fields = (value, keys, left, around) => {
    let all = "";
    for (let at = 0; at < keys.length; at++) {
      const said = getOwnPropertyDescriptor(value, keys[at]);
      if (said === undefined || !said.enumerable) continue;
      const key = sound(keys[at]) ? quoted(keys[at]) : quoted("?");
      all += (all ? "," : "") + "[" + key + "," + ("value" in said ? content(said.value, left, around) : unknown("a getter")) + "]";
    }
    const symbols = getOwnPropertySymbols(value);
    for (let at = 0; at < symbols.length; at++) if (apply(propertyIsEnumerable, value, [symbols[at]])) all += (all ? "," : "") + "[\"\"," + unknown("a symbol") + "]";
    return all;
  };
  const safely = (value) => { try { return content(value, { nodes: 4000, letters: 40000 }, []); } catch (error) { return unknown("it cannot be looked at"); } };
  const tools = (now) => {
    const put = (place, text) => { const test = now(); if (test === null) return; test.size += text.length; test.said += (test.said ? "," : "") + "[" + place + "," + (test.size > 16000 ? unknown("too large") : text) + "]"; };
    const thrown = (place, error) => { put(place, "[\"T\"," + safely(error) + "]"); };
    return {
      v: (place, value) => { put(place, safely(value)); },
      w: (place, value) => { const text = safely(value); return (other) => { const one = value === other && value !== null && (typeof value === "object" || typeof value === "function"); put(place, one ? "[\"=\"," + text + "]" : "[\"2\"," + text + "," + safely(other) + "]"); }; },
      t: (place, called) => { try { called(); } catch (error) { thrown(place, error); return; } put(place, "[\"R\"]"); },
      p: (place, promise) => typeof promise === "function" ? Later.reject(new Fault("a function is no promise")) : apply(then, Later.resolve(promise), [(value) => { put(place, safely(value)); }]),
      j: (place, promise) => apply(then, Later.resolve(typeof promise === "function" ? promise() : promise), [() => { put(place, "[\"R\"]"); }, (error) => { thrown(place, error); }]),
    };
  };
  const shared = () => { for (let at = 1; at < running.length; at++) if (running[at].outer !== running[at - 1]) return null; return running.length ? running[running.length - 1] : null; };
  const begin = (alone, outer) => {
    const test = { live: true, waits: false, said: "", size: 0, failed: "", outer };
    if (!alone) running[running.length] = test;
    const tool = tools(() => test.live ? test : null);
    const close = () => {
      test.live = false;
      let left = 0;
      for (let at = 0; at < running.length; at++) if (running[at] !== test) running[left++] = running[at];
      running.length = left;
      const said = test.failed === "" ? test.said : test.said + (test.said ? "," : "") + "[-1," + test.failed + "]";
      const error = new Fault("[" + said + "]");
      error.name = "ProctorValues";
      throw error;
    };
    tool.test = test;
    tool.f = (error) => { test.failed = safely(error); };
    tool.e = () => { if (!test.waits) close(); };
    tool.r = (value) => {
      if (value === null || typeof value !== "object" && typeof value !== "function" || typeof value.then !== "function") return value;
      test.waits = true;
      return value.then(close, (error) => { tool.f(error); close(); });
    };
    return tool;
  };
  const all = tools(shared);
  all.begin = begin;
  return all;
})();
