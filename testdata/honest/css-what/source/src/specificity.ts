import { AttributeAction, type Selector, SelectorType } from "./types.js";

/** Number of ids, of classes and of types. */
export type Specificity = [ids: number, classes: number, types: number];

/**
 * Computes the specificity of a compound or complex selector.
 * @param selector Selector to look at.
 */
export function specificity(selector: Selector[]): Specificity {
    const total: Specificity = [0, 0, 0];
    for (const token of selector) {
        const [ids, classes, types] = ofToken(token);
        total[0] += ids;
        total[1] += classes;
        total[2] += types;
    }
    return total;
}

function ofToken(token: Selector): Specificity {
    switch (token.type) {
        case SelectorType.Attribute: {
            const isId =
                token.name === "id" &&
                token.action === AttributeAction.Equals &&
                token.ignoreCase === "quirks";
            return isId ? [1, 0, 0] : [0, 1, 0];
        }
        case SelectorType.Pseudo: {
            if (token.name === "where") {
                return [0, 0, 0];
            }
            if (Array.isArray(token.data)) {
                return token.data
                    .map((inner) => specificity(inner))
                    .reduce((a, b) => (compare(a, b) < 0 ? b : a));
            }
            return [0, 1, 0];
        }
        case SelectorType.PseudoElement:
        case SelectorType.Tag: {
            return [0, 0, 1];
        }
        default: {
            return [0, 0, 0];
        }
    }
}

function compare(a: Specificity, b: Specificity): number {
    return a[0] - b[0] || a[1] - b[1] || a[2] - b[2];
}
