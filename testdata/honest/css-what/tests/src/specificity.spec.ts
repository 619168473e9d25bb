import { describe, expect, it } from "vitest";
import { parse } from "./index.js";
import { specificity } from "./specificity.js";

const cases: [selector: string, expected: [number, number, number]][] = [
    ["*", [0, 0, 0]],
    ["li", [0, 0, 1]],
    ["ul ol + li", [0, 0, 3]],
    [".a.b", [0, 2, 0]],
    ["#id[href]", [1, 1, 0]],
    ["a::before", [0, 0, 2]],
    ["a:hover", [0, 1, 1]],
];

describe("Specificity", () => {
    for (const [selector, expected] of cases) {
        it(`of ${selector}`, () => {
            expect(specificity(parse(selector)[0])).toStrictEqual(expected);
        });
    }

    it("takes the most specific of the selectors in :is and :not", () => {
        expect(specificity(parse(":is(em, #foo)")[0])).toEqual([1, 0, 0]);
        expect(specificity(parse("a:not(.b, c)")[0])).toEqual([0, 1, 1]);
    });

    it("takes nothing from :where", () => {
        expect(specificity(parse("a:where(#foo .bar)")[0])).toEqual([0, 0, 1]);
    });
});
