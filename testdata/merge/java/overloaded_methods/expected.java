package a;

import java.util.List;
import java.util.Map;

public class Cart {
    private final List<String> items = List.of();
    private Map<String, Integer> counts;

    public void add(String item) {
        items.add(item);
    }

    /** Many. */
    @Deprecated
    public void add(List<String> more) {
        items.addAll(more);
    }
}
