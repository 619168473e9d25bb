package a;

import java.util.List;

public class Cart {
    private final List<String> items = List.of();

    public void add(String item) {
        items.add(item);
    }
}
