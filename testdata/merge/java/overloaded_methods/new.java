package a;

import java.util.List;
import java.util.Map;

public class Cart {
    private Map<String, Integer> counts;

    /** Many. */
    @Deprecated
    public void add(List<String> more) {
        items.addAll(more);
    }
}
