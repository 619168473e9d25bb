use super::{exports, imported_names, imported_paths, lacking_names};

fn names(text: &str) -> Vec<String> {
    let files = [("test/a.test.ts".to_owned(), text.to_owned())];
    imported_names(&files, "./src/add")
}

#[test]
fn every_way_of_asking_for_a_name_is_read() {
    let table: [(&str, &[&str]); 20] = [
        ("import { a, b as c } from '../src/add';", &["a", "b"]),
        ("import { type T, a } from '../src/add.js';", &["T", "a"]),
        ("import add from '../src/add';", &["default"]),
        ("import add, { a } from '../src/add';", &["a", "default"]),
        ("import { default as x } from '../src/add';", &["default"]),
        (
            "import * as ns from '../src/add'; ns.a(ns['b']);",
            &["a", "b"],
        ),
        (
            "import * as ns from '../src/add'; const { a } = ns;",
            &["a"],
        ),
        (
            "const { a, b: c, d = 1 } = require('../src/add');",
            &["a", "b", "d"],
        ),
        ("const m = require('../src/add'); m.a();", &["a"]),
        ("const m = require('../src/add'); m();", &["default"]),
        ("require('../src/add').a;", &["a"]),
        ("const { a } = await import('../src/add');", &["a"]),
        ("(await import('../src/add')).a", &["a"]),
        (
            "let m; before(async () => { m = await import('../src/add') }); m.a",
            &["a"],
        ),
        ("import('../src/add').then((m) => m.a);", &["a"]),
        ("import('../src/add').then(({ a }) => a);", &["a"]),
        ("const { a } = await vi.importActual('../src/add');", &["a"]),
        (
            "const { a } = (await vi.importActual('../src/add')) as any;",
            &["a"],
        ),
        ("export { a } from '../src/add';", &["a"]),
        ("import { a } from '../src/other'; import 'add';", &[]),
    ];
    for (text, expected) in table {
        assert_eq!(names(text), expected, "{text}");
    }
}

#[test]
fn imported_paths_keep_their_endings() {
    let text = "import '../src/a.mjs'; import b from './b'; import 'pkg';";
    let files = [("test/a.test.ts".to_owned(), text.to_owned())];
    assert_eq!(imported_paths(&files), ["./src/a.mjs", "./test/b"]);
}

#[test]
fn every_way_of_exporting_a_name_is_read() {
    let table: [(&str, &[&str]); 11] = [
        ("export const a = 1, { b, c: d } = x;", &["a", "b", "d"]),
        ("export function a() {}", &["a"]),
        ("export async function* a() {}", &["a"]),
        ("export class A {}", &["A"]),
        ("export abstract class A {}", &["A"]),
        (
            "export interface I {} export type T = 1; export enum E {}",
            &["E", "I", "T"],
        ),
        ("const a = 1, b = 2; export { a, b as c };", &["a", "c"]),
        ("export default function () {}", &["default"]),
        ("export * as ns from './x';", &["ns"]),
        ("export { a as default } from './x';", &["default"]),
        ("const a = 1;", &[]),
    ];
    for (text, expected) in table {
        let found = exports("a.ts", text);
        assert!(found.names.iter().eq(expected.iter()), "{text}: {found:?}");
    }
    assert!(exports("a.js", "exports.a = 1").is_commonjs);
    assert!(exports("a.js", "const a = require('b')").is_commonjs);
    assert!(!exports("a.js", "import 'b'; exports.a").is_commonjs);
}

#[test]
fn what_is_handed_on_is_not_lacking() {
    let read = |path: &str| match path {
        "src/b.ts" => Some("export const b = 1; export default 1".to_owned()),
        _ => None,
    };
    let asked = ["a", "b", "c", "default"].map(str::to_owned);
    let lacking = |text: &str| lacking_names("src/index.ts", Some(text), &asked, &read);
    let text = "export * from './b.js'; export const a = 1;";
    assert_eq!(lacking(text), ["c", "default"]);
    assert_eq!(lacking("export * from 'pkg'"), ["default"]);
    assert_eq!(lacking_names("src/x.ts", None, &asked, &read), asked);
}
